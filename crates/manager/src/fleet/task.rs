//! One server's attempt and connection, from the start of its process until it is gone.

use std::convert::Infallible;
use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::{Arc, Weak};

use codewhale_mcp_client::{Change, Client, Event};
use codewhale_mcp_config::Server;
use codewhale_mcp_protocol::{Era, SubscriptionFilter};
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::events::FleetEvent;
use super::handle::{Fleet, Inner};
use super::live::Live;
use crate::Manager;
use crate::connect::{Attempt, Course, Failure, First, Found, Settled, list};
use crate::logs::{Log, Voice};
use crate::supervisor::Fact;

/// An attempt. It does not keep the fleet.
pub(super) struct Task {
    pub(super) fleet: Weak<Inner>,
    pub(super) manager: Manager,
    pub(super) name: String,
    pub(super) attempt: u64,
    /// Is over when the attempt is not wanted any more.
    pub(super) stopped: oneshot::Receiver<()>,
    /// Asks for the list again.
    pub(super) list: Arc<Notify>,
    /// Is over when nothing of the attempt before runs any more.
    pub(super) before: Option<oneshot::Receiver<()>>,
    /// Dropped when nothing of this one does.
    pub(super) done: oneshot::Sender<()>,
}

type Refresh = Pin<Box<dyn Future<Output = Result<Found, Failure>> + Send>>;

impl Task {
    pub(super) async fn run(mut self, server: Arc<Server>) {
        if let Some(before) = self.before.take() {
            // Nothing is ever sent. Two of one server may stand in each other's way.
            let _ = before.await;
        }
        let (name, attempt, fleet) = (self.name.clone(), self.attempt, self.fleet.clone());
        let tell = move |phase| {
            if let Some(fleet) = fleet.upgrade().map(Fleet) {
                fleet.tell(&name, Fact::Reached { attempt, phase });
            }
        };
        let unwanted = async {
            let _ = (&mut self.stopped).await;
        };
        let course = Course::new(&self.manager, &server, First::Tools).telling(&tell);
        let Settled { attempt: Attempt { report, connection }, leaving } = course.run_unless(unwanted).await;
        let log = self.manager.logs().log(&self.name, server.redactor());
        let live = connection
            .as_ref()
            .map(|connection| Arc::new(Live::new(attempt, connection.client().clone(), log)));
        let fleet = self.fleet.upgrade().map(Fleet);
        let wanted = fleet.is_some_and(|fleet| fleet.settled(&self.name, attempt, report, live.clone()));
        if let Some(lease) = leaving {
            lease.left().await;
        }
        if let (Some(connection), Some(live)) = (connection, live) {
            if wanted {
                self.watch(&server, &live).await;
            }
            live.drain().await;
            connection.close().await;
        }
        drop(self.done);
    }

    /// An attempt at what cannot be tried.
    pub(super) fn refuse(self, failure: &Failure) {
        if let Some(fleet) = self.fleet.upgrade().map(Fleet) {
            fleet.refused(&self.name, self.attempt, failure);
        }
    }

    /// Watches a server that is up until it is gone or not wanted any more.
    async fn watch(&mut self, server: &Arc<Server>, live: &Live) {
        let client = &live.client;
        let mut events = client.events();
        let missed = Notify::new();
        let mut listening = pin!(listen(client, &live.log, &missed));
        let mut refresh: Option<Refresh> = None;
        // A change that was told on the way here counts.
        let mut changes = 0;
        let (attempt, name, fleet) = (self.attempt, &self.name, &self.fleet);
        let told = |fact| {
            if let Some(fleet) = fleet.upgrade().map(Fleet) {
                fleet.tell(name, fact);
            }
        };
        loop {
            // Counted, since events are lost where too many come.
            let now = client.tool_changes();
            if now != changes {
                changes = now;
                told(Fact::ListChanged { attempt });
            }
            tokio::select! {
                _ = &mut self.stopped => return,
                event = events.next() => match event {
                    None | Some(Event::Closed(_)) => {
                        if let Some(fleet) = fleet.upgrade().map(Fleet) {
                            fleet.lost(name, live);
                        }
                        return;
                    }
                    Some(event) => self.pass_on(&event),
                },
                never = &mut listening => match never {},
                () = missed.notified() => told(Fact::ListChanged { attempt }),
                () = self.list.notified(), if refresh.is_none() => {
                    let (manager, server) = (self.manager.clone(), server.clone());
                    refresh = Some(Box::pin(again(manager, server, client.clone(), live.log.clone())));
                }
                found = async { refresh.as_mut().expect("there is one").await }, if refresh.is_some() => {
                    refresh = None;
                    if let Some(fleet) = fleet.upgrade().map(Fleet) {
                        fleet.listed(name, attempt, found);
                    }
                }
            }
        }
    }

    fn pass_on(&self, event: &Event) {
        let server = self.name.clone();
        let event = match event {
            Event::ResourcesChanged | Event::ResourceUpdated { .. } => {
                FleetEvent::ResourcesChanged { server }
            }
            Event::PromptsChanged => FleetEvent::PromptsChanged { server },
            _ => return,
        };
        if let Some(fleet) = self.fleet.upgrade().map(Fleet) {
            fleet.lock().announce(event);
        }
    }
}

/// Has a modern server tell of changes, as long as this is polled; `missed` is told when some may have been lost. A
/// legacy server tells of them by itself.
async fn listen(client: &Client, log: &Log, missed: &Notify) -> Infallible {
    if let Some(filter) = wanted(client) {
        match client.subscribe(filter).await {
            Ok(mut subscription) => {
                // What changed between its first list and this is not known either.
                missed.notify_one();
                while let Some(change) = subscription.next().await {
                    if change == Change::Missed {
                        missed.notify_one();
                    }
                }
            }
            Err(error) => {
                let error = log.safe(&error.to_string());
                log.say(Voice::Codewhale, &format!("changes of its lists are not told: {error}"));
            }
        }
    }
    pending().await
}

/// What a modern server can tell of.
fn wanted(client: &Client) -> Option<SubscriptionFilter> {
    let server = client.server();
    if server.era() != Era::Modern {
        return None;
    }
    let (tools, prompts) = (&server.capabilities.tools, &server.capabilities.prompts);
    let tells = |told: Option<bool>| told.filter(|told| *told);
    let filter = SubscriptionFilter {
        tools_list_changed: tells(tools.as_ref().map(|tools| tools.list_changed)),
        prompts_list_changed: tells(prompts.as_ref().map(|prompts| prompts.list_changed)),
        resources_list_changed: tells(
            server.capabilities.resources.as_ref().map(|resources| resources.list_changed),
        ),
        ..SubscriptionFilter::default()
    };
    (filter != SubscriptionFilter::default()).then_some(filter)
}

/// Reads the list of a server that is up again, and keeps it.
async fn again(manager: Manager, server: Arc<Server>, client: Client, log: Log) -> Result<Found, Failure> {
    let deadline = Instant::now() + server.timeouts.connect.value;
    let mut found = list(&client, &server, deadline, &log).await.found?;
    let known = manager.recall(&server).await;
    manager.remember(&server, known, &client, found.all.take());
    Ok(found)
}
