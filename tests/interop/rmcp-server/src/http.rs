//! The server on a port, over Streamable HTTP.

use std::sync::Arc;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::Server;

/// Serves until the process ends; `name` is what it is called from elsewhere.
pub async fn serve(server: Server, port: u16, name: String) -> std::io::Result<()> {
    let mut config = StreamableHttpServerConfig::default();
    config.allowed_hosts.push(name);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new());
            // Who goes away in the middle is no fault of this server.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
