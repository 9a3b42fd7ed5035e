//! One check and how all of them are run.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Instant;

use tokio::sync::Semaphore;
use tokio::task::LocalSet;

use crate::leftover;
use crate::world::World;

/// Fine, or what is wrong.
pub(crate) type Outcome = Result<(), String>;

type Run = Box<dyn for<'a> Fn(&'a World) -> Pin<Box<dyn Future<Output = Outcome> + 'a>>>;

/// How many run at one time; most of their time they wait for a server to start.
const AT_ONCE: usize = 3;

/// Something that has to hold.
pub(crate) struct Check {
    /// The server, and the behaviour that holds.
    pub(crate) name: String,
    run: Run,
}

impl Check {
    pub(crate) fn new(
        server: &str,
        name: &str,
        run: impl for<'a> Fn(&'a World) -> Pin<Box<dyn Future<Output = Outcome> + 'a>> + 'static,
    ) -> Self {
        Self { name: format!("{server}: {}", name.replace('_', " ")), run: Box::new(run) }
    }
}

/// The checks of a server, each named as its function.
macro_rules! checks {
    ($server:expr; $($name:ident),+ $(,)?) => {
        vec![$($crate::check::Check::new($server, stringify!($name), |world| Box::pin($name(world)))),+]
    };
}
pub(crate) use checks;

/// The same, of functions that take one thing more.
macro_rules! checks_with {
    ($server:expr, $with:expr; $($name:ident),+ $(,)?) => {
        vec![$($crate::check::Check::new(
            $server,
            stringify!($name),
            { let with = $with; move |world| Box::pin($name(world, with)) },
        )),+]
    };
}
pub(crate) use checks_with;

/// Runs all and prints a line for each as it ends; says how many passed and how many failed.
pub(crate) async fn run_all(world: World, checks: Vec<Check>) -> (usize, usize) {
    let world = Rc::new(world);
    let room = Rc::new(Semaphore::new(AT_ONCE));
    let count = checks.len();
    let local = LocalSet::new();
    let running: Vec<_> = checks
        .into_iter()
        .map(|check| {
            let (world, room) = (world.clone(), room.clone());
            local.spawn_local(async move {
                let _place = room.acquire().await;
                let start = Instant::now();
                let outcome = (check.run)(&world).await;
                report(&check.name, start, outcome)
            })
        })
        .collect();
    let mut passed = 0;
    local
        .run_until(async {
            for check in running {
                passed += usize::from(check.await.unwrap_or(false));
            }
        })
        .await;
    let start = Instant::now();
    let stopped = local.run_until(world.shared.stop()).await;
    passed += usize::from(report("what is shared is there to the end", start, stopped));
    world.guard.close().await;
    let start = Instant::now();
    passed += usize::from(report("no process is left", start, leftover::none(&world)));
    (passed, count + 2 - passed)
}

fn report(name: &str, start: Instant, outcome: Outcome) -> bool {
    let milliseconds = start.elapsed().as_millis();
    match outcome {
        Ok(()) => println!("ok      {milliseconds:6} ms  {name}"),
        Err(ref why) => println!("FAILED  {milliseconds:6} ms  {name}\n        {why}"),
    }
    outcome.is_ok()
}
