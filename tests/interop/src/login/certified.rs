//! Logins at oidc-provider, which is certified: from nobody to a logout, as a person and their processes go through it.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;

use super::machine::Machine;
use super::provider::{Seen, Setup, with};
use super::visitor::Visitor;
use crate::check::{Check, Outcome, checks_with};
use crate::expect::{contains, holds, same};
use crate::world::{Guarded, World};

/// A token that ends while a check looks on.
const SHORT: u32 = 2;

/// A token that outlives every check.
const LONG: u32 = 3600;

pub(crate) fn checks() -> Vec<Check> {
    let mut all = Vec::new();
    for server in [Guarded::TypeScript, Guarded::FastMcp] {
        all.extend(checks_with![&format!("oidc-provider and {server}"), server;
            lets_a_person_in_whose_browser_comes_back,
            renews_a_token_that_has_ended_and_spends_each_once,
            revokes_what_it_gave,
        ]);
    }
    // The rest is between us and the provider, or needs a server that asks it about tokens.
    all.extend(checks_with!["oidc-provider and the typescript sdk", Guarded::TypeScript;
        takes_an_address_that_is_pasted,
        forgets_and_asks_for_consent_again,
        lets_another_person_in_instead,
        renews_a_token_that_is_refused,
        asks_for_more_scopes_when_more_are_needed,
    ]);
    all
}

/// Logs in with a browser that follows.
async fn log_in(machine: &Machine, visitor: &mut Visitor, arguments: &[&str]) -> Result<Vec<String>, String> {
    let waiting = machine.begin(&[&["--no-browser"], arguments].concat()).await?;
    let visited = visitor.visit(&waiting.url).await?;
    contains(&visited.page.body, "<title>You are logged in</title>")?;
    waiting.end().await?.ends(0)?;
    Ok(std::mem::take(&mut visitor.asked))
}

async fn lets_a_person_in_whose_browser_comes_back(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?.says("run codewhale mcp login s")?;
        let waiting = machine.begin(&["--no-browser"]).await?;
        let asked = |name: &str| waiting.parameter(name).unwrap_or_default();
        same("the resource", asked("resource"), provider.server_url())?;
        same("the proof", asked("code_challenge_method"), "S256")?;
        same("the scopes", asked("scope"), "read offline_access")?;
        let mut alice = Visitor::new("alice");
        let visited = alice.visit(&waiting.url).await?;
        contains(&visited.page.body, "You are logged in")?;
        holds("it says who gave the code", visited.url.query_pairs().any(|(name, _)| name == "iss"))?;
        let ran = waiting.end().await?.prints(&format!("logged in to s at {}", provider.issuer()))?;
        ran.says("credentials.json, which only you can read")?.says("renewed by itself")?;
        same("what they were asked", alice.asked, ["login", "consent"])?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        machine.run(&["mcp", "list"]).await?.prints("oauth: logged in")?;
        machine.run(&["-v", "mcp", "validate"]).await?.ends(0)?;
        machine.run(&["--json", "mcp", "get", "s"]).await?.ends(0)?;
        machine.run(&["mcp", "logs", "s"]).await?.ends(0)?;
        same("the answers to codes", provider.tokens("authorization_code").await?, [200])?;
        same("the answers to refreshes", provider.tokens("refresh_token").await?, [0; 0])
    })
    .await
}

async fn takes_an_address_that_is_pasted(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |_, machine| {
        let mut waiting = machine.begin(&["--no-browser"]).await?;
        let back = waiting.parameter("redirect_uri").unwrap_or_default();
        let end = Visitor::new("alice").visit_until(&waiting.url, &back).await?;
        waiting.paste(&end.as_str().replace("state=", "state=x")).await?;
        waiting.paste(end.as_str()).await?;
        waiting.end().await?.prints("logged in to s")?.says("it still waits")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice").map(drop)
    })
    .await
}

async fn renews_a_token_that_has_ended_and_spends_each_once(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: SHORT }, async |provider, machine| {
        log_in(machine, &mut Visitor::new("alice"), &[]).await?;
        let mut kept = vec![machine.kept()?];
        for _ in 0..3 {
            while machine.status_for(kept.last().expect("there is one")).await? != 401 {}
            machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
            kept.push(machine.kept()?);
        }
        // A run that takes longer than a token lasts renews it once more.
        let answers = provider.tokens("refresh_token").await?;
        holds(
            &format!("each token was renewed: {answers:?}"),
            answers.len() >= 3 && answers.iter().all(|one| *one == 200),
        )?;
        let tokens: Vec<&str> =
            kept.iter().map(|kept| kept["refresh_token"].as_str().unwrap_or_default()).collect();
        let seen = provider.seen("/token").await?;
        let spent: Vec<&str> = seen.iter().filter_map(|one| one.asked("refresh_token")).collect();
        let different: BTreeSet<&str> = spent.iter().copied().collect();
        same("the number of different ones that were spent", different.len(), spent.len())?;
        holds(
            "all that were kept were spent, but the last",
            tokens[..3].iter().all(|token| different.contains(token)),
        )?;
        holds("the last was not", !different.contains(tokens[3]))?;
        // One that was spent is dead, and who shows it again takes all with it.
        let client = kept[0]["client_id"].as_str().unwrap_or_default();
        let answer = provider.refresh(tokens[0], client).await?;
        same("the answer to a spent one", answer.status, 400)?;
        contains(&answer.body, "invalid_grant")?;
        while machine.status_for(&kept[3]).await? != 401 {}
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?.says("run codewhale mcp login s")?;
        machine.run(&["mcp", "list"]).await?.prints("oauth: login needed").map(drop)
    })
    .await
}

async fn renews_a_token_that_is_refused(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        log_in(machine, &mut Visitor::new("alice"), &[]).await?;
        let kept = machine.kept()?;
        provider.end(kept["access_token"].as_str().unwrap_or_default()).await?;
        same("the answer to the old one", machine.status_for(&kept).await?, 401)?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        same("the answers to refreshes", provider.tokens("refresh_token").await?, [200])
    })
    .await
}

async fn asks_for_more_scopes_when_more_are_needed(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        let mut alice = Visitor::new("alice");
        log_in(machine, &mut alice, &[]).await?;
        machine.run(&["mcp", "call", "s", "writes"]).await?.ends(3)?.says("run codewhale mcp login s")?;
        // What does not need them goes on.
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        machine.run(&["mcp", "list"]).await?.prints("oauth: login needed")?;
        // Whoever is known is not asked who they are.
        same("what they were asked", log_in(machine, &mut alice, &[]).await?, ["consent"])?;
        let asked = provider.seen("/auth").await?;
        let scopes: Vec<_> = asked.iter().map(|one| one.asked("scope").unwrap_or_default()).collect();
        same("the scopes", scopes, ["read offline_access", "read offline_access write"])?;
        machine.run(&["mcp", "call", "s", "writes"]).await?.prints("alice wrote")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        same(
            "the number of registrations",
            provider.seen("/reg").await?.iter().filter(|one| one.status() == 201).count(),
            1,
        )
    })
    .await
}

async fn forgets_and_asks_for_consent_again(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        let mut alice = Visitor::new("alice");
        // Without offline access nobody asks for consent by themselves.
        let plain = ["--scope", "read"];
        log_in(machine, &mut alice, &plain).await?;
        let kept = machine.kept()?;
        let ran = machine.run(&["mcp", "logout", "s"]).await?.prints("logged out of s")?;
        ran.says("granted may live on there")?;
        same("the number of revocations", provider.seen("/token/revocation").await?.len(), 0)?;
        holds("the old token lives on", machine.status_for(&kept).await? != 401)?;
        machine.run(&["mcp", "list"]).await?.prints("oauth: logged out")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3)?;
        for _ in 0..2 {
            same("what they are asked", log_in(machine, &mut alice, &plain).await?, ["consent"])?;
        }
        let asked = provider.seen("/auth").await?;
        let prompts: Vec<_> = asked.iter().map(|one| one.asked("prompt").unwrap_or_default()).collect();
        same("what they were asked for", prompts, ["", "consent", ""])?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice").map(drop)
    })
    .await
}

async fn revokes_what_it_gave(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        log_in(machine, &mut Visitor::new("alice"), &[]).await?;
        let kept = machine.kept()?;
        let text = |of: &str| kept[of].as_str().unwrap_or_default().to_owned();
        let ran = machine.run(&["mcp", "logout", "s", "--revoke"]).await?.prints("logged out of s")?;
        // A token that servers read themselves cannot be called back.
        let (said, statuses) = match server {
            Guarded::TypeScript => ("has revoked the tokens", [200, 200]),
            Guarded::FastMcp => ("has revoked the login; the last token is good until 20", [200, 400]),
        };
        ran.says(said)?;
        let revoked = provider.seen("/token/revocation").await?;
        let tokens: Vec<_> = revoked.iter().filter_map(|one| one.asked("token")).collect();
        holds(
            "both were named",
            [text("access_token"), text("refresh_token")].iter().all(|one| tokens.contains(&&**one)),
        )?;
        same("the answers", revoked.iter().map(Seen::status).collect::<Vec<_>>(), statuses)?;
        let answer = provider.refresh(&text("refresh_token"), &text("client_id")).await?;
        contains(&answer.body, "invalid_grant")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.ends(3).map(drop)
    })
    .await
}

async fn lets_another_person_in_instead(world: &World, server: Guarded) -> Outcome {
    with(world, Setup { server, seconds: LONG }, async |provider, machine| {
        log_in(machine, &mut Visitor::new("alice"), &[]).await?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        // Somebody who says no changes nothing.
        let waiting = machine.begin(&["--no-browser"]).await?;
        let visited = Visitor::new("eve").refuse(&waiting.url).await?;
        contains(&visited.page.body, "<title>The login failed</title>")?;
        waiting.end().await?.ends(1)?.says("the authorization was declined")?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("alice")?;
        log_in(machine, &mut Visitor::new("bob"), &[]).await?;
        machine.run(&["mcp", "call", "s", "who"]).await?.prints("bob")?;
        same(
            "the number of registrations",
            provider.seen("/reg").await?.iter().filter(|one| one.status() == 201).count(),
            1,
        )?;
        same("the answers to codes", provider.tokens("authorization_code").await?, [200, 200])?;
        same("times that the file was told of", machine.said().matches("only you can read").count(), 1)?;
        let mode = std::fs::metadata(machine.file()).map_err(|error| error.to_string())?.permissions().mode();
        same("its mode", mode & 0o777, 0o600)
    })
    .await
}
