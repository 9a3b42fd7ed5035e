//! Servers with certificates of an authority that only the tests know.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

use codewhale_mcp_net::client::{Engine, Parts};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use tempfile::NamedTempFile;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// An authority, its certificate in a file, and a server's end of TLS.
pub(crate) struct Authority {
    file: NamedTempFile,
    acceptor: TlsAcceptor,
}

impl Authority {
    /// Vouches for one name.
    pub(crate) fn of(name: &str, alpn: &[&str]) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(certificate.pem().as_bytes()).unwrap();
        let issuer = Issuer::new(params, key);
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key.serialize_der().try_into().unwrap())
            .unwrap();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        Self { file, acceptor: Arc::new(config).into() }
    }

    pub(crate) fn parts(&self) -> Parts {
        Parts { authorities: Some(self.file.path().to_owned()), ..Parts::default() }
    }

    pub(crate) fn engine(&self) -> Engine {
        Engine::new(self.parts())
    }

    /// A server's end of one connection.
    pub(crate) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> TlsStream<S> {
        self.acceptor.accept(stream).await.unwrap()
    }

    /// Hands every connection whose handshake succeeds to `serve`.
    pub(crate) async fn listen<F>(
        &self,
        serve: impl Fn(TlsStream<TcpStream>) -> F + Send + 'static,
    ) -> SocketAddr
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = self.acceptor.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                if let Ok(stream) = acceptor.accept(stream).await {
                    tokio::spawn(serve(stream));
                }
            }
        });
        address
    }
}
