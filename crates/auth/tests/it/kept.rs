//! What every store of credentials holds to.

use codewhale_mcp_auth::credentials::{CredentialStore, Entry, InMemory, Key, Swapped};
use codewhale_mcp_redact::Secret;

pub(crate) fn server(name: &str) -> Key {
    Key::Server { name: name.to_owned(), url: "https://mcp.example/".to_owned() }
}

pub(crate) fn text(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

/// Nobody replaces what they did not see.
pub(crate) async fn check_swaps(store: &dyn CredentialStore) {
    let key = server("a");
    assert_eq!(store.load(&key).await.unwrap(), None);
    assert_eq!(store.swap(&key, None, Some(&text("one"))).await.unwrap(), Swapped::Done);
    let one = Entry::new(text("one"));
    assert_eq!(store.load(&key).await.unwrap(), Some(one.clone()));
    let late = store.swap(&key, None, Some(&text("two"))).await.unwrap();
    assert_eq!(late, Swapped::Other(Some(one.clone())));
    assert_eq!(store.swap(&key, Some(&one.version), Some(&text("two"))).await.unwrap(), Swapped::Done);
    let late = store.swap(&key, Some(&one.version), None).await.unwrap();
    assert_eq!(late, Swapped::Other(Some(Entry::new(text("two")))));
    for other in [server("b"), Key::Issuer { issuer: "https://mcp.example/".to_owned() }] {
        assert_eq!(store.load(&other).await.unwrap(), None);
    }
    assert_eq!(store.swap(&key, Some(&Entry::new(text("two")).version), None).await.unwrap(), Swapped::Done);
    assert_eq!(store.load(&key).await.unwrap(), None);
}

#[tokio::test]
async fn nobody_replaces_what_they_did_not_see_in_memory() {
    check_swaps(&InMemory::default()).await;
}
