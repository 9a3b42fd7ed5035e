//! Encryption: whose certificates are trusted, and the handshake.

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use tokio::sync::OnceCell;
use tokio_rustls::TlsConnector;

use super::dial::Stream;
use crate::NetError;

/// Trusts what the system trusts, and the authorities of one more file. The system is asked when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Tls {
    authorities: Option<PathBuf>,
    configs: OnceCell<Result<Configs, String>>,
}

#[derive(Debug)]
struct Configs {
    /// For servers: HTTP/2 where they speak it.
    server: Arc<ClientConfig>,
    /// For proxies.
    proxy: Arc<ClientConfig>,
}

/// Whom a handshake is with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum With {
    Server,
    Proxy,
}

impl Tls {
    pub(super) fn new(authorities: Option<PathBuf>) -> Self {
        Self { authorities, configs: OnceCell::new() }
    }

    /// The encrypted stream, and whether HTTP/2 was agreed on.
    pub(super) async fn handshake(
        &self,
        with: With,
        host: &str,
        at: &str,
        stream: Box<dyn Stream>,
    ) -> Result<(Box<dyn Stream>, bool), NetError> {
        let failed = |reason: String| NetError::Tls { host: at.to_owned(), reason };
        let config = match (self.configs().await.as_ref().map_err(|reason| failed(reason.clone()))?, with) {
            (Configs { server, .. }, With::Server) => Arc::clone(server),
            (Configs { proxy, .. }, With::Proxy) => Arc::clone(proxy),
        };
        let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(error.to_string()))?;
        let stream = TlsConnector::from(config)
            .connect(name, stream)
            .await
            .map_err(|error| failed(error.to_string()))?;
        let h2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok((Box::new(stream), h2))
    }

    async fn configs(&self) -> &Result<Configs, String> {
        // Reading the system's store is slow on some systems.
        let make = || async {
            let authorities = self.authorities.clone();
            match tokio::task::spawn_blocking(move || configs(authorities)).await {
                Ok(made) => made,
                Err(error) => Err(error.to_string()),
            }
        };
        self.configs.get_or_init(make).await
    }
}

fn configs(authorities: Option<PathBuf>) -> Result<Configs, String> {
    let more = match authorities {
        None => Vec::new(),
        Some(path) => {
            let failed = |reason: String| format!("{}: {reason}", path.display());
            let certificates = CertificateDer::pem_file_iter(&path)
                .and_then(Iterator::collect::<Result<Vec<_>, _>>)
                .map_err(|error| failed(error.to_string()))?;
            if certificates.is_empty() {
                return Err(failed("holds no certificate".to_owned()));
            }
            certificates
        }
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier =
        Verifier::new_with_extra_roots(more, Arc::clone(&provider)).map_err(|error| error.to_string())?;
    let verifier = Arc::new(verifier);
    let config = |alpn: &[&[u8]]| {
        let mut config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::<Verifier>::clone(&verifier))
            .with_no_client_auth();
        config.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
        Ok::<_, String>(Arc::new(config))
    };
    Ok(Configs { server: config(&[b"h2", b"http/1.1"])?, proxy: config(&[b"http/1.1"])? })
}
