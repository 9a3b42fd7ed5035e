//! A machine with a server that wants a login.

use std::sync::Arc;

use codewhale_testkit::HttpFake;
use serde_json::{Value, json};
use url::Url;

use super::Browser;
use crate::world::{Machine, Ran};

/// A call that needs a login.
pub(super) const CALL: [&str; 5] = ["mcp", "call", "s", "echo", "text=hello"];

/// A machine on which this server is configured as `s`.
pub(super) fn machine_of(fake: &HttpFake) -> Machine {
    machine_with(fake, json!({}))
}

/// The same, with more in its definition.
pub(super) fn machine_with(fake: &HttpFake, more: Value) -> Machine {
    let machine = Machine::new();
    machine.hears(fake);
    let mut definition = json!({"url": fake.url()});
    definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    machine.write(&machine.config(), &json!({"servers": {"s": definition}}).to_string());
    machine
}

/// `mcp login` with a browser whose person agrees, and where it was sent.
pub(super) fn login(machine: &Machine, arguments: &[&str]) -> (Ran, Vec<Url>) {
    let browser = Arc::<Browser>::default();
    let ran = machine.trial().browser(browser.clone()).run(&[&["mcp", "login"], arguments].concat());
    let opened = browser.opened().clone();
    (ran, opened)
}

/// A parameter of an address.
pub(super) fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
}

/// How many requests had this path.
pub(super) fn asked(fake: &HttpFake, path: &str) -> usize {
    fake.requests().iter().filter(|request| request.path.split('?').next() == Some(path)).count()
}

/// The bodies of the requests with this path.
pub(super) fn bodies(fake: &HttpFake, path: &str) -> Vec<String> {
    let requests = fake.requests().into_iter().filter(|request| request.path == path);
    requests.map(|request| String::from_utf8(request.body).unwrap()).collect()
}
