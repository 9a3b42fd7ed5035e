//! The endpoint for a program that has connections of its own.

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::any;

use super::endpoint::Endpoint;
use super::options::Options;
use crate::Server;

/// The endpoint as part of another program, at [`Options::path`], and beside it what is served of a
/// [`ProtectedResource`](super::ProtectedResource). What belongs to connections (the bounds of heads, slow
/// readers, the number of connections, their end) is that program's to see to.
///
/// ```
/// use codewhale_mcp_server::http::{Options, router};
/// use codewhale_mcp_server::Server;
///
/// let server = Server::builder("example", "1.0.0").build()?;
/// let app: axum::Router = router(server, Options::default());
/// # Ok::<(), codewhale_mcp_server::BuildError>(())
/// ```
pub fn router(server: Server, options: Options) -> Router {
    let path = options.path.clone();
    let about = options.served_resource().map(|resource| resource.path().to_owned());
    let endpoint = Endpoint::new(server, options);
    let told = endpoint.clone();
    let tell = move |request: Request| async move {
        let response = told.answer_about_it(&request);
        response.map_or_else(
            || StatusCode::NOT_FOUND.into_response(),
            |response| response.map(axum::body::Body::new),
        )
    };
    let answer = move |request: Request| {
        let endpoint = endpoint.clone();
        async move { endpoint.answer(request).await.map(axum::body::Body::new) }
    };
    let router = Router::new().route(&path, any(answer));
    match about {
        Some(path) => router.route(&path, any(tell)),
        None => router,
    }
}
