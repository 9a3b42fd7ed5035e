//! What a server says about authorization.

use codewhale_mcp_auth::{Challenge, Demand};

fn check(values: &[&str], expected: &[(&str, &[(&str, &str)])]) {
    let read = Challenge::read(values);
    let expected: Vec<Challenge> = expected
        .iter()
        .map(|(scheme, parameters)| Challenge {
            scheme: (*scheme).to_owned(),
            parameters: parameters.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect(),
        })
        .collect();
    assert_eq!(read, expected, "{values:?}");
}

#[test]
fn challenges_are_read_in_every_form_that_headers_have() {
    check(&[], &[]);
    check(&[""], &[]);
    check(&["Bearer"], &[("Bearer", &[])]);
    check(&["bearer scope=\"a b\""], &[("bearer", &[("scope", "a b")])]);
    check(&["Bearer SCOPE=a"], &[("Bearer", &[("scope", "a")])]);
    check(&["Bearer a = \"1\" ,\tb=2"], &[("Bearer", &[("a", "1"), ("b", "2")])]);
    check(&["Bearer realm=\"a, b=c\", error=\"x\""], &[("Bearer", &[("realm", "a, b=c"), ("error", "x")])]);
    check(&[r#"Bearer realm="say \"hi\" \\ now""#], &[("Bearer", &[("realm", r#"say "hi" \ now"#)])]);
    check(&["Bearer scope=a, scope=b"], &[("Bearer", &[("scope", "a")])]);
    check(
        &["Basic realm=\"x\", Bearer scope=a"],
        &[("Basic", &[("realm", "x")]), ("Bearer", &[("scope", "a")])],
    );
    check(&["Negotiate, Bearer scope=a"], &[("Negotiate", &[]), ("Bearer", &[("scope", "a")])]);
    check(&["Negotiate YWJj==, Bearer scope=a"], &[("Negotiate", &[]), ("Bearer", &[("scope", "a")])]);
    check(
        &["Basic realm=x", "Bearer scope=a"],
        &[("Basic", &[("realm", "x")]), ("Bearer", &[("scope", "a")])],
    );
    check(&[", , Bearer scope=a,,"], &[("Bearer", &[("scope", "a")])]);
    // What is broken harms nothing else.
    check(&["Bearer scope=\"open"], &[("Bearer", &[("scope", "open")])]);
    check(&["\"?\", Bearer scope=a"], &[("Bearer", &[("scope", "a")])]);
    check(&["Bearer scope=\"a"], &[("Bearer", &[("scope", "a")])]);
    check(
        &["Bearer resource_metadata=https://h/x?y=1, scope=a"],
        &[("Bearer", &[("resource_metadata", "https://h/x?y=1"), ("scope", "a")])],
    );
}

#[test]
fn what_concerns_tokens_is_picked_out_of_all_challenges() {
    let demand = Demand::read(&[
        "Basic scope=\"not ours\", realm=\"x\"",
        r#"bearer error="insufficient_scope", error_description="more\u001b", scope="a b""#,
        r#"Bearer resource_metadata="https://mcp.test/.well-known/x", scope="later""#,
    ]);
    assert_eq!(demand.resource_metadata.as_deref(), Some("https://mcp.test/.well-known/x"));
    assert_eq!(demand.scope.as_deref(), Some("a b"));
    assert!(demand.is_about_scope() && !demand.is_about_nonce() && !demand.is_bound);
    assert_eq!(Demand::read::<&str>(&[]), Demand::default());
    assert_eq!(Demand::read(&["Basic scope=a, error=b"]), Demand::default());
    assert_eq!(Demand::read(&["Bearer scope=\" \""]).scope, None);
    assert!(Demand::read(&["DPoP algs=\"ES256\""]).is_bound);
    assert!(!Demand::read(&["DPoP algs=\"ES256\", Bearer"]).is_bound);
    assert!(Demand::read(&["DPoP error=\"use_dpop_nonce\""]).is_about_nonce());
    let loud = Demand::read(&[format!("Bearer error_description=\"\u{1b}[2J{}\"", "x".repeat(900))]);
    let shown = loud.description.unwrap();
    assert!(!shown.contains('\u{1b}') && shown.chars().count() < 320, "{shown}");
}
