//! `mcp login`: a person logs in to a server.

use std::sync::Arc;

use codewhale_mcp_auth::listener::{Callback, Loopback};
use codewhale_mcp_config::{Server, Settings, Transport};
use codewhale_mcp_manager::{Held, LoggedIn, LoginPlan, LoginRefused, Way, rfc3339};
use codewhale_mcp_redact::safe_url;
use serde::Serialize;

use super::person::AtBrowser;
use crate::args::{BudgetArgs, LoginArgs};
use crate::configured::Configured;
use crate::drive::drive;
use crate::exit::Exit;
use crate::failure::{Failure, InOrOut};
use crate::print::{Line, Paint, Printer};
use crate::run::Run;
use crate::target::ready;

#[derive(Serialize)]
struct Done<'a> {
    name: &'a str,
    url: String,
    /// `logged_in`, or `not_needed` where the server lets everybody in.
    login: &'static str,
    issuer: Option<&'a str>,
    resource: Option<&'a str>,
    client_id: Option<&'a str>,
    /// Those that were granted.
    scopes: Vec<&'a str>,
    expires_at: Option<String>,
    /// Whether another token is had without a login.
    renews: bool,
}

pub(in crate::commands) fn login(run: &mut Run, args: &LoginArgs) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let asked = args.target.clone().asked();
    let server = ready(&configured, &asked, &BudgetArgs::default(), &run.printer)?;
    let callback = callback(&configured.place.settings)?;
    let has_browser = !args.no_browser && !args.device;
    let person = Arc::new(AtBrowser::new(run, &server.name, has_browser));
    let mut browse = Loopback::new(callback, person.clone());
    if has_browser {
        browse = browse.with_browser(run.world.browser.clone());
    }
    let plan = LoginPlan {
        scopes: args.scope.clone(),
        way: if args.device { Way::Device } else { Way::Browser },
        browse: Arc::new(browse),
        show: person,
    };
    let (json, printer) = (run.global.json, run.printer.clone());
    drive(run, &configured, async move |manager| {
        let logged_in =
            manager.login(&server, plan).await.map_err(|refused| failed(&server, InOrOut::In, refused))?;
        match json {
            true => printer.json(&shape(&server, &logged_in))?,
            false => tell(&printer, &server, &logged_in)?,
        }
        Ok(Exit::Ok)
    })
}

/// There was no login, or no logout.
pub(super) fn failed(server: &Server, way: InOrOut, refused: LoginRefused) -> Failure {
    let name = server.name.clone();
    match refused {
        LoginRefused::Server(failure) => {
            Failure::Connect { name, failure: Box::new(failure), stderr: Vec::new() }
        }
        refused => Failure::Login { name, way, refused },
    }
}

/// Where the browser comes back to.
fn callback(settings: &Settings) -> Result<Callback, Failure> {
    let port = settings.mcp_oauth_callback_port.as_ref().map(|port| port.value);
    let url = settings.mcp_oauth_callback_url.as_ref().map(|url| url.value.as_str());
    Callback::new(port, url).map_err(|error| {
        let place = settings.mcp_oauth_callback_url.as_ref().map(|url| format!("{}: ", url.place));
        Failure::usage(format!("{}{error}", place.unwrap_or_default()))
    })
}

fn shape<'a>(server: &'a Server, logged_in: &'a LoggedIn) -> Done<'a> {
    let mut done = Done {
        name: &server.name,
        url: shown_url(server),
        login: "not_needed",
        issuer: None,
        resource: None,
        client_id: None,
        scopes: Vec::new(),
        expires_at: None,
        renews: false,
    };
    if let LoggedIn::Done { held, resource, client_id } = logged_in {
        done.login = "logged_in";
        done.issuer = Some(&held.issuer);
        done.resource = Some(resource);
        done.client_id = Some(client_id);
        done.scopes = held.scopes.split_ascii_whitespace().collect();
        done.expires_at = held.ends_at.map(rfc3339);
        done.renews = held.renews;
    }
    done
}

fn shown_url(server: &Server) -> String {
    match &server.transport {
        Transport::Http(remote) | Transport::Sse(remote) => safe_url(&remote.url),
        _ => String::new(),
    }
}

fn tell(printer: &Printer, server: &Server, logged_in: &LoggedIn) -> Result<(), Failure> {
    let LoggedIn::Done { held, .. } = logged_in else {
        printer.line(Line::new().bold(&server.name).plain(" lets everybody in; no login is needed"))?;
        return Ok(());
    };
    let line = Line::new().add(Paint::Good, "logged in").plain(" to ").bold(&server.name);
    printer.line(line.plain(format!(" at {}", safe_url(&held.issuer))))?;
    let about = about(held);
    if !about.is_empty() {
        printer.note(Line::new().dim(about));
    }
    Ok(())
}

/// What a token is good for.
fn about(held: &Held) -> String {
    let scopes = (!held.scopes.is_empty()).then(|| format!("scopes: {}", held.scopes));
    let end = match (held.ends_at, held.renews) {
        (Some(end), false) => Some(format!("good until {}", rfc3339(end))),
        (_, true) => Some("renewed by itself".to_owned()),
        (None, false) => None,
    };
    scopes.into_iter().chain(end).collect::<Vec<_>>().join("; ")
}
