//! TLS, and whose certificates are trusted.

use codewhale_mcp_net::client::{Engine, Parts};
use codewhale_mcp_net::{NetError, Purpose};

use crate::certified::Authority;
use crate::network::{Names, Roads, egress, message, whole};
use crate::server::{Server, reply};
use crate::world::guard;

#[tokio::test]
async fn an_authority_of_a_file_is_trusted_beside_those_of_the_system() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let authority = Authority::of("mcp.example", &["http/1.1"]);
    let address = authority
        .listen({
            let server = server.clone();
            move |stream| server.clone().serve(stream)
        })
        .await;
    let (names, roads) = (Names::new(&[&["9.9.9.9"]]), Roads::to(address));
    let parts = Parts { resolver: names.clone(), dialer: roads.clone(), ..authority.parts() };
    let url = "https://mcp.example/";
    let known = Engine::new(parts.clone()).egress(guard(url), Purpose::Message);
    for _ in 0..3 {
        assert_eq!(whole(&known, message(url)).await.unwrap().body, "{}");
    }
    assert_eq!((roads.dialled().len(), server.accepted()), (1, 1));
    // Another name, and an authority that nobody trusts.
    let url = "https://other.example/";
    let other = Engine::new(parts.clone()).egress(guard(url), Purpose::Message);
    let error = whole(&other, message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Tls { host, .. } if host == "other.example:443"), "{error}");
    let url = "https://mcp.example/";
    let nobody = Authority::of("mcp.example", &[]);
    let unknown = Parts { resolver: names, dialer: roads, ..nobody.parts() };
    let error =
        whole(&Engine::new(unknown).egress(guard(url), Purpose::Message), message(url)).await.unwrap_err();
    assert!(matches!(&error, NetError::Tls { reason, .. } if reason.contains("certificate")), "{error}");
    assert_eq!(server.received().len(), 3);
}

#[tokio::test]
async fn a_file_that_holds_no_authority_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_owned();
    let address = Authority::of("localhost", &[]).listen(|_| async {}).await;
    let url = format!("https://{address}/");
    for path in [path.clone(), path.with_extension("missing")] {
        let engine = Engine::new(Parts { authorities: Some(path.clone()), ..Parts::default() });
        let error = whole(&engine.egress(guard(&url), Purpose::Message), message(&url)).await.unwrap_err();
        let named = |reason: &str| reason.contains(path.to_str().unwrap());
        assert!(matches!(&error, NetError::Tls { reason, .. } if named(reason)), "{error}");
    }
}

#[tokio::test]
async fn a_server_without_encryption_is_told_so() {
    let server = Server::start(|_| reply("200 OK", &[], b"{}")).await;
    let url = format!("https://{}/", server.address);
    let error = whole(&egress(&url), message(&url)).await.unwrap_err();
    assert!(matches!(error, NetError::Tls { .. }), "{error}");
    assert_eq!(server.received().len(), 0);
}
