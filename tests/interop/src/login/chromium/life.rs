//! Everything that comes of a login, in one home and one after the other, with Chromium for every visit.

use super::super::machine::Machine;
use super::super::own;
use super::super::provider::{Provider, Setup, with};
use super::browser::{Browser, Does};
use crate::check::{Check, Outcome, checks};
use crate::expect::{contains, holds, same};
use crate::world::{Guarded, World};

/// A token that ends while a check looks on.
const SHORT: u32 = 2;

/// A token that outlives every check.
const LONG: u32 = 3600;

/// Scopes with which no provider asks for consent by itself.
const PLAIN: [&str; 2] = ["--scope", "read"];

/// How a session begins.
const BEGIN: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
    "capabilities":{},"clientInfo":{"name":"interop","version":"1"}}}"#;

pub(in crate::login) fn checks() -> Vec<Check> {
    let life = |server, name: &str| {
        let server_name = format!("chromium, oidc-provider and {server}");
        Check::new(&server_name, name, move |world| Box::pin(life(world, server)))
    };
    let mut all = vec![
        life(
            Guarded::TypeScript,
            "login, call, a token that ends, more scopes, logout, consent again, another account",
        ),
        life(
            Guarded::FastMcp,
            "login, call, a token that ends, logout, consent again, another account (no more scopes: \
             it tells of a tool's missing ones within an answer and not with a challenge)",
        ),
    ];
    all.extend(checks!["chromium, fastmcp's own tokens";
        login_without_a_page_and_call_and_a_token_that_ends_and_revocation_and_login,
    ]);
    all
}

async fn life(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: SHORT }, async |provider, machine| {
        let alice = Browser::new(world, machine, "alice", Does::Agrees)?;
        step("login and call", logs_in(provider, machine, &alice).await)?;
        step("a token that ends", renews(provider, machine).await)?;
        match server {
            Guarded::TypeScript => step("more scopes", steps_up(provider, machine, &alice).await)?,
            Guarded::FastMcp => step("missing scopes", is_refused_a_tool(machine).await)?,
        }
        step("logout and consent again", consents_again(provider, machine, &alice).await)?;
        let bob = Browser::new(world, machine, "bob", Does::Agrees)?;
        step("another account", is_somebody_else(provider, machine, &bob).await)
    })
    .await
}

fn step(what: &str, outcome: Outcome) -> Outcome {
    outcome.map_err(|why| format!("{what}: {why}"))
}

/// A login that ends well, and what the person was asked on the way.
async fn log_in(machine: &Machine, browser: &Browser, arguments: &[&str]) -> Result<Vec<String>, String> {
    let waiting = machine.begin(arguments).await?;
    let page = browser.page().await?;
    waiting.end().await?.prints("logged in to s")?.says("a browser opens this address")?;
    page.is("You are logged in", "You can close this page.")?;
    Ok(page.asked().into_iter().map(str::to_owned).collect())
}

async fn logs_in(provider: &Provider, machine: &Machine, browser: &Browser) -> Outcome {
    machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?.says("run codewhale mcp login s")?;
    same("what they were asked", log_in(machine, browser, &[]).await?, ["login", "consent"])?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
    machine.run(&["mcp", "list"]).await?.prints("oauth: logged in")?;
    same("the answers to codes", provider.tokens("authorization_code").await?, [200])
}

async fn renews(provider: &Provider, machine: &Machine) -> Outcome {
    let kept = machine.kept()?;
    while machine.status_for(&kept).await? != 401 {}
    provider.tokens_last(LONG).await?;
    let before = provider.tokens("refresh_token").await?.len();
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
    let renewed = machine.kept()?;
    for secret in ["access_token", "refresh_token"] {
        holds(&format!("the {secret} is another one"), kept[secret] != renewed[secret])?;
    }
    same("the answers to refreshes", &provider.tokens("refresh_token").await?[before..], [200])?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
    same("the number of refreshes", provider.tokens("refresh_token").await?.len(), before + 1)
}

async fn steps_up(provider: &Provider, machine: &Machine, browser: &Browser) -> Outcome {
    machine.run(&["mcp", "call", "s", "writes"]).await?.ends(3)?.says("run codewhale mcp login s")?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
    machine.run(&["mcp", "list"]).await?.prints("oauth: login needed")?;
    // The browser knows them by now.
    same("what they were asked", log_in(machine, browser, &[]).await?, ["consent"])?;
    let asked = provider.seen("/auth").await?;
    let scopes: Vec<_> = asked.iter().map(|one| one.asked("scope").unwrap_or_default()).collect();
    same("the scopes", scopes, ["read offline_access", "read offline_access write"])?;
    machine.run(&["mcp", "call", "s", "writes"]).await?.prints("alice wrote")?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice").map(drop)
}

/// Without its scopes the tool is not listed, and a call of it all the same is answered like one that failed.
async fn is_refused_a_tool(machine: &Machine) -> Outcome {
    machine.run(&["mcp", "call", "s", "writes"]).await?.ends(2)?.says("`s` has no tool `writes`")?;
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"writes","arguments":{}}}"#;
    let kept = machine.kept()?;
    let begun = machine.answer_to(&kept, "", BEGIN).await?;
    let session = begun.headers("mcp-session-id").next().ok_or("it begins no session")?;
    let headers = format!("Mcp-Session-Id: {session}\r\n");
    let answer = machine.answer_to(&kept, &headers, call).await?;
    same("the status", answer.status, 200)?;
    same("the challenges", answer.headers("www-authenticate").count(), 0)?;
    contains(&answer.body, "insufficient scope (required: write)")?;
    machine.run(&["mcp", "list"]).await?.prints("oauth: logged in").map(drop)
}

async fn consents_again(provider: &Provider, machine: &Machine, browser: &Browser) -> Outcome {
    let before = provider.seen("/auth").await?.len();
    machine.run(&["mcp", "logout", "s"]).await?.prints("logged out of s")?.says("may live on there")?;
    machine.run(&["mcp", "list"]).await?.prints("oauth: logged out")?;
    machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
    for _ in 0..2 {
        same("what they were asked", log_in(machine, browser, &PLAIN).await?, ["consent"])?;
    }
    let asked = provider.seen("/auth").await?;
    let prompts: Vec<_> = asked[before..].iter().map(|one| one.asked("prompt").unwrap_or_default()).collect();
    same("what the provider was told to ask", prompts, ["consent", ""])?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice").map(drop)
}

async fn is_somebody_else(provider: &Provider, machine: &Machine, browser: &Browser) -> Outcome {
    same("what they were asked", log_in(machine, browser, &PLAIN).await?, ["login", "consent"])?;
    machine.run(&["mcp", "call", "s", "who"]).await?.prints("bob")?;
    let codes = provider.tokens("authorization_code").await?;
    holds(&format!("each code was taken: {codes:?}"), codes.iter().all(|status| *status == 200))
}

async fn login_without_a_page_and_call_and_a_token_that_ends_and_revocation_and_login(
    world: &World,
) -> Outcome {
    own::with(world, 4, async |machine| {
        let anybody = Browser::new(world, machine, "anybody", Does::Agrees)?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        for last in [false, true] {
            same("what they were asked", log_in(machine, &anybody, &[]).await?, [""; 0])?;
            let first = machine.kept()?;
            // Whoever shows it a token that has ended loses the one to renew it with, too.
            while machine.kept()?["access_token"] == first["access_token"] {
                machine.run(&["mcp", "call", "s", "who"]).await?.prints("read")?;
            }
            if !last {
                let ran = machine.run(&["mcp", "logout", "s", "--revoke"]).await?.ends(0)?;
                ran.says("has revoked the tokens")?;
                machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
            }
        }
        Ok(())
    })
    .await
}
