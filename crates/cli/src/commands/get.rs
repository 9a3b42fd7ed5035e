//! `mcp get`: one server in full, each value with the place it came from.

use codewhale_mcp_config::{Auth, AutoApprove, Budget, Located, MergedServer, Place, ServerEntry, Timeouts};
use codewhale_mcp_manager::{LoginStanding, Standing};
use codewhale_mcp_redact::safe_url;
use serde::Serialize;
use serde_json::{Value, json};

use crate::configured::Configured;
use crate::exit::Exit;
use crate::failure::{Failure, standing_word};
use crate::logged::{self, ShownLogin};
use crate::print::{Fit, Line, Paint, Table};
use crate::run::Run;
use crate::shown::{ShownPlace, arguments, command, hidden};

#[derive(Serialize)]
struct Got<'a> {
    name: &'a str,
    scope: &'static str,
    state: &'static str,
    /// How its requests are authorized.
    auth: Option<&'static str>,
    /// How things are with the login; nothing where none is ever used.
    login: Option<ShownLogin>,
    #[serde(skip)]
    standing: Option<LoginStanding>,
    place: ShownPlace,
    /// What a consent is bound to.
    hash: String,
    values: Vec<Row>,
    overrides: Vec<ShownPlace>,
    problems: Vec<String>,
    warnings: Vec<String>,
}

/// One value that counts.
#[derive(Serialize)]
struct Row {
    key: String,
    value: Value,
    /// Nothing for a built-in default.
    place: Option<ShownPlace>,
    #[serde(skip)]
    shown_place: Option<String>,
}

pub(super) fn get(run: &Run, name: &str) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    let alone;
    let (server, standing) = match configured.server(name) {
        Ok(server) => (server, Standing::Trusted),
        // To read it is how one comes to trust it.
        Err(Failure::NotTrusted { standing, .. }) => {
            alone =
                configured.skipped(name).map(MergedServer::alone).expect("what is not trusted was skipped");
            (&alone, standing)
        }
        Err(other) => return Err(other),
    };
    let environment = |name: &str| configured.variable(name);
    let resolved = match standing {
        Standing::Trusted => server.resolve(&environment, &configured.place.workspace),
        // Nothing of it is looked up.
        _ => Err(server.entry.definition.as_ref().err().cloned().unwrap_or_default()),
    };
    let (problems, mut warnings) = match &resolved {
        Ok(ready) => {
            run.printer.hide(&ready.secrets);
            (Vec::new(), ready.warnings.iter().map(ToString::to_string).collect())
        }
        Err(problems) => (
            problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            server.entry.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ),
    };
    let (state, values) = match &server.entry.definition {
        Ok(definition) => {
            warnings.extend(definition.literal_secrets().iter().map(ToString::to_string));
            let state = match standing {
                Standing::Trusted if definition.is_on() => "on",
                Standing::Trusted => "off",
                standing => standing_word(standing),
            };
            (state, values(definition, &server.timeouts))
        }
        Err(_) => ("refused", Vec::new()),
    };
    warnings.dedup();
    let login =
        resolved.as_ref().ok().and_then(|server| logged::standing(&configured, server, run.world.clock));
    let got = Got {
        name,
        scope: server.scope.as_str(),
        state,
        auth: server.entry.definition.as_ref().ok().map(|definition| definition.auth().as_str()),
        login: login.as_ref().map(ShownLogin::from),
        standing: login,
        place: ShownPlace::from(&server.entry.place),
        hash: server.entry.hash.to_string(),
        values,
        overrides: server.overridden.iter().map(|entry| ShownPlace::from(&entry.place)).collect(),
        problems,
        warnings,
    };
    if run.global.json {
        run.printer.json(&got)?;
    } else {
        print(run, server, &got)?;
        if standing != Standing::Trusted {
            run.printer.hint("it counts once you agree with `codewhale trust`");
        }
    }
    Ok(Exit::Ok)
}

fn values(entry: &ServerEntry, timeouts: &Timeouts) -> Vec<Row> {
    let mut rows = Rows(Vec::new());
    rows.put("type", json!(entry.kind.as_str()), entry.kind_place.as_ref());
    if let (Some(written), Some(shown)) = (&entry.command, command(entry)) {
        rows.put("command", json!(shown), Some(&written.place));
    }
    for (at, (arg, shown)) in entry.args.iter().zip(arguments(entry)).enumerate() {
        rows.put(format!("args[{at}]"), json!(shown), Some(&arg.place));
    }
    for pair in &entry.env {
        rows.put(format!("env.{}", pair.name), json!(hidden(pair)), Some(&pair.value.place));
    }
    rows.text("cwd", entry.cwd.as_ref());
    if let Some(url) = &entry.url {
        rows.put("url", json!(safe_url(&url.value)), Some(&url.place));
    }
    for pair in &entry.headers {
        rows.put(format!("headers.{}", pair.name), json!(hidden(pair)), Some(&pair.value.place));
    }
    for pair in &entry.env_headers {
        rows.put(format!("env_headers.{}", pair.name), json!(pair.value.value), Some(&pair.value.place));
    }
    rows.text("bearer_token_env_var", entry.bearer_token_env_var.as_ref());
    rows.list("scopes", &entry.scopes);
    rows.text("oauth.client_id", entry.oauth_client_id.as_ref());
    rows.text("oauth.client_secret_env_var", entry.oauth_client_secret_env_var.as_ref());
    rows.text("oauth_resource", entry.oauth_resource.as_ref());
    rows.flag("allow_private_network", entry.allow_private_network.as_ref());
    rows.flag("enabled", entry.enabled.as_ref());
    rows.flag("disabled", entry.disabled.as_ref());
    rows.flag("required", entry.required.as_ref());
    rows.list("enabled_tools", &entry.enabled_tools);
    rows.list("disabled_tools", &entry.disabled_tools);
    if let Some(approve) = &entry.auto_approve {
        let value = match &approve.value {
            AutoApprove::None => json!(false),
            AutoApprove::All => json!(true),
            AutoApprove::Tools(tools) => json!(tools),
        };
        rows.put("autoApprove", value, Some(&approve.place));
    }
    rows.flag("alwaysLoad", entry.always_load.as_ref());
    rows.flag("defer_loading", entry.defer_loading.as_ref());
    rows.budget("connect_timeout", Some(&timeouts.connect));
    rows.budget("execute_timeout", Some(&timeouts.execute));
    rows.budget("read_timeout", Some(&timeouts.read));
    rows.budget("idle_timeout", timeouts.idle.as_ref());
    rows.0
}

struct Rows(Vec<Row>);

impl Rows {
    fn put(&mut self, key: impl Into<String>, value: Value, place: Option<&Place>) {
        let shown_place = place.map(ToString::to_string);
        self.0.push(Row { key: key.into(), value, place: place.map(ShownPlace::from), shown_place });
    }

    fn text(&mut self, key: &str, text: Option<&Located<String>>) {
        if let Some(text) = text {
            self.put(key, json!(text.value), Some(&text.place));
        }
    }

    fn flag(&mut self, key: &str, flag: Option<&Located<bool>>) {
        if let Some(flag) = flag {
            self.put(key, json!(flag.value), Some(&flag.place));
        }
    }

    fn list(&mut self, key: &str, items: &[Located<String>]) {
        for (at, item) in items.iter().enumerate() {
            self.put(format!("{key}[{at}]"), json!(item.value), Some(&item.place));
        }
    }

    /// A budget in seconds.
    fn budget(&mut self, key: &str, budget: Option<&Budget>) {
        if let Some(budget) = budget {
            let seconds = budget.value.as_secs_f64();
            let whole = seconds.fract() == 0.0;
            let value = if whole { json!(budget.value.as_secs()) } else { json!(seconds) };
            self.put(key, value, budget.place.as_ref());
        }
    }
}

fn print(run: &Run, server: &MergedServer, got: &Got<'_>) -> Result<(), Failure> {
    let printer = &run.printer;
    let auth = got.auth.filter(|auth| *auth != Auth::None.as_str());
    let auth = auth.map(|auth| format!(", auth {}", logged::words(auth, got.standing.as_ref())));
    let auth = auth.unwrap_or_default();
    let title = Line::new().bold(got.name).plain(format!("  {}, {}{auth}  ", got.scope, got.state));
    printer.line(title.dim(server.entry.place.to_string()))?;
    if let Some(login) = &got.login {
        login.lines().try_for_each(|line| printer.line(Line::new().dim(line)))?;
    }
    let mut table = Table::new([("KEY", Fit::Keep), ("VALUE", Fit::Keep), ("FROM", Fit::Keep)]);
    for row in &got.values {
        let value = row.value.as_str().map_or_else(|| row.value.to_string(), ToOwned::to_owned);
        let place = row.shown_place.as_deref().unwrap_or("default");
        table.row([Line::from(&row.key), Line::from(value), Line::new().dim(place)]);
    }
    if !got.values.is_empty() {
        table.print(printer)?;
    }
    for entry in &server.overridden {
        printer.line(Line::new().plain("overrides ").add(Paint::Dim, entry.place.to_string()))?;
    }
    got.problems.iter().for_each(|problem| printer.warn(problem));
    got.warnings.iter().for_each(|warning| printer.warn(warning));
    Ok(())
}
