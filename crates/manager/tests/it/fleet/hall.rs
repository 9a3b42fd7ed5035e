//! Servers in memory, for tests that hold the clock.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use codewhale_mcp_config::{Scope, Server, Source};
use codewhale_mcp_manager::{Fleet, FleetRules, InProcess};
use codewhale_mcp_transport::{Connector, memory};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::pod::fleet_by;
use crate::world::{World, from};

/// How a server in memory is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    /// It answers its first message after this time, and then at once.
    After(Duration),
    /// It never answers.
    Hung,
    /// It leaves after this time, and answers at once until then.
    Leaves(Duration),
}

/// Servers in memory, and what happened to them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hall(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    manners: BTreeMap<String, Manner>,
    opened: BTreeMap<String, usize>,
    /// How many are on their way, and the most that ever were.
    on_their_way: usize,
    most: usize,
}

impl Hall {
    pub(crate) fn new<'n>(manners: impl IntoIterator<Item = (&'n str, Manner)>) -> Self {
        let hall = Self::default();
        let named = |(name, manner): (&str, Manner)| (name.to_owned(), manner);
        hall.0.lock().unwrap().manners = manners.into_iter().map(named).collect();
        hall
    }

    /// A fleet of all of them, in alphabetical order.
    pub(crate) fn fleet(&self, rules: FleetRules) -> (World, Fleet) {
        let hall = self.clone();
        let world = World::with(|setup| setup.in_process = InProcess::new(move |name| hall.open(name)));
        let names: Vec<String> = self.0.lock().unwrap().manners.keys().cloned().collect();
        let fleet = fleet_by(&world, rules, names.iter().map(|name| sdk(name, &json!({}))));
        (world, fleet)
    }

    /// How often each was connected to.
    pub(crate) fn opened(&self) -> BTreeMap<String, usize> {
        self.0.lock().unwrap().opened.clone()
    }

    /// The most that were on their way at one time.
    pub(crate) fn most(&self) -> usize {
        self.0.lock().unwrap().most
    }

    fn open(&self, name: &str) -> Option<Box<dyn Connector>> {
        let mut seen = self.0.lock().unwrap();
        let manner = *seen.manners.get(name)?;
        *seen.opened.entry(name.to_owned()).or_default() += 1;
        seen.on_their_way += 1;
        seen.most = seen.most.max(seen.on_their_way);
        let (connector, server) = memory::pair(64 << 10);
        tokio::spawn(serve(server, manner, self.clone()));
        Some(Box::new(connector))
    }

    fn arrived(&self) {
        self.0.lock().unwrap().on_their_way -= 1;
    }
}

/// A server in memory as a definition, with further members.
pub(crate) fn sdk(name: &str, more: &Value) -> Server {
    let mut definition = json!({"type": "sdk"});
    definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    from(&Source::label("test", Scope::Flag), name, &definition)
}

async fn serve(stream: DuplexStream, manner: Manner, hall: Hall) {
    let (reader, mut writer) = tokio::io::split(stream);
    let mut lines = BufReader::new(reader).lines();
    let mut first = true;
    let end = match manner {
        Manner::Leaves(time) => Instant::now().checked_add(time),
        _ => None,
    };
    loop {
        let line = match end {
            Some(end) => timeout_at(end, lines.next_line()).await,
            None => Ok(lines.next_line().await),
        };
        let Ok(Ok(Some(line))) = line else { return };
        let message: Value = serde_json::from_str(&line).unwrap();
        match manner {
            Manner::After(time) if std::mem::take(&mut first) => sleep_until(Instant::now() + time).await,
            Manner::After(_) | Manner::Leaves(_) => {}
            Manner::Hung => continue,
        }
        let result = match message["method"].as_str().unwrap_or_default() {
            "server/discover" => json!({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}),
            "tools/list" => {
                hall.arrived();
                let tool = |name: &str| json!({"name": name, "description": "Looks at a thing", "inputSchema": {"type": "object"}});
                json!({"tools": [tool("look"), tool("touch")]})
            }
            "tools/call" => json!({"content": [{"type": "text", "text": "done"}]}),
            _ => continue,
        };
        let reply = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
        if writer.write_all(format!("{reply}\n").as_bytes()).await.is_err() {
            return;
        }
    }
}
