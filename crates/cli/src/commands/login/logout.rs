//! `mcp logout`: what is kept of a login goes.

use codewhale_mcp_auth::driver::{LoggedOut, Revocation};
use codewhale_mcp_config::Server;
use codewhale_mcp_manager::{LogoutPlan, rfc3339};
use codewhale_mcp_redact::safe_url;
use serde::Serialize;

use super::login::failed;
use crate::args::LogoutArgs;
use crate::configured::Configured;
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::{Failure, InOrOut};
use crate::print::{Line, Printer};
use crate::run::Run;
use crate::target::known_here;

#[derive(Serialize)]
struct Done<'a> {
    name: &'a str,
    /// Whether there was a login.
    was_logged_in: bool,
    issuer: Option<String>,
    /// `not_asked`, `done`, `ends_alone` (but the last access token is good until its end), `not_offered` or `failed`.
    revocation: &'static str,
    /// Why the provider did not do it.
    reason: Option<String>,
}

pub(in crate::commands) fn logout(run: &mut Run, args: &LogoutArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let asked = args.target.clone().asked();
    let server = known_here(&configured, &asked, &run.printer)?;
    let plan = if args.revoke { LogoutPlan::Revoke } else { LogoutPlan::Here };
    let (json, printer) = (run.global.json, run.printer.clone());
    drive(run, &configured, async move |manager| {
        let out =
            manager.logout(&server, plan).await.map_err(|refused| failed(&server, InOrOut::Out, refused))?;
        match json {
            true => printer.json(&shape(&server, &out))?,
            false => tell(&printer, &server, &out)?,
        }
        Ok(match out.revocation {
            Revocation::Failed(_) => Exit::Failed,
            _ => Exit::Ok,
        })
    })
}

fn shape<'a>(server: &'a Server, out: &LoggedOut) -> Done<'a> {
    let (revocation, reason) = match &out.revocation {
        Revocation::NotAsked => ("not_asked", None),
        Revocation::Done => ("done", None),
        Revocation::EndsAlone { .. } => ("ends_alone", None),
        Revocation::NotOffered => ("not_offered", None),
        Revocation::Failed(error) => ("failed", Some(error.to_string())),
    };
    let issuer = out.issuer.as_deref().map(safe_url);
    Done { name: &server.name, was_logged_in: issuer.is_some(), issuer, revocation, reason }
}

fn tell(printer: &Printer, server: &Server, out: &LoggedOut) -> Result<(), Failure> {
    let Some(issuer) = out.issuer.as_deref().map(safe_url) else {
        printer.line(Line::new().plain("nobody was logged in to ").bold(&server.name))?;
        return Ok(());
    };
    printer.line(Line::new().plain("logged out of ").bold(&server.name))?;
    let lives_on = format!("what {issuer} granted may live on there");
    match &out.revocation {
        Revocation::NotAsked => {
            printer.note(format!("the tokens are deleted here; {lives_on}"));
            printer.hint(
                "its own pages show what you have granted, and take it back; --revoke does so next time, before the \
                 tokens that it takes are gone",
            );
        }
        Revocation::Done => printer.note(format!("{issuer} has revoked the tokens")),
        Revocation::EndsAlone { ends_at } => {
            let end = ends_at.map_or_else(|| "its end".to_owned(), rfc3339);
            printer.note(format!("{issuer} has revoked the login; the last token is good until {end}"));
        }
        Revocation::NotOffered => printer.warn(format!("{issuer} revokes no tokens; {lives_on}")),
        Revocation::Failed(error) => {
            printer.error(format!("the tokens are not revoked: {error}; {lives_on}"))
        }
    }
    printer.note("the next login asks for consent");
    Ok(())
}
