//! What a session is told, and its end.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use codewhale_host::flags::Asked;
use codewhale_host::{Endpoint, Host, How, Rules, Setup, Talk, Way, window};
use codewhale_mcp_config::Located;
use codewhale_mcp_manager::{Fleet, FleetRules};

use super::run::exit_of;
use super::targets::{reread, targets};
use crate::configured::Configured;
use crate::drive::{drive_in, ended_by, network};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::read_file;
use crate::print::Printer;
use crate::run::Run;

/// How many words of a session may wait for a reader of standard error. What finds no room is left out.
const WORDS: usize = 64;
/// How long the last of them may take.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Holds a session until its input ends, or a signal comes. The output is taken when there is one.
pub(super) fn hold(run: &mut Run, asked: Asked, output: &mut Box<dyn Write + Send>) -> Result<Exit, Failure> {
    let configured = Configured::load(run)?;
    configured.warnings.iter().for_each(|warning| run.printer.warn(warning));
    let print = asked.print;
    let session_id = asked.session_id.clone();
    let mut setup = setup(run, &configured, asked)?;
    let unstarted = |error| Failure::system("start the session", error);
    let (talk, all_said) = talk(run.printer.clone()).map_err(unstarted)?;
    setup.talk = talk;
    let output = std::mem::replace(output, Box::new(io::sink()));
    let no_model = setup.model.as_ref().err().cloned();
    let host = Host::new(output, session_id, run.world.clock).map_err(unstarted)?;
    let input = std::mem::replace(&mut run.world.stdin, Box::new(io::empty()));
    let (printer, in_process) = (run.printer.clone(), host.in_process());
    let declare = |setup: &mut codewhale_mcp_manager::Setup| setup.in_process = in_process;
    let exit = drive_in(run, &configured, declare, async move |manager, interrupts| {
        let fleet = Fleet::new(manager.clone(), setup.targets.clone(), FleetRules::default())
            .map_err(|error| Failure::usage(error.to_string()))?;
        let exit = tokio::select! {
            ended = host.run(setup, fleet.clone(), input) => match ended {
                Ok(ended) if ended.how == How::NoPrompt => Err(Failure::usage(
                    "there is no prompt: none stands behind -p, and standard input is empty",
                )),
                Ok(ended) => Ok(exit_of(&ended, print, no_model.as_ref(), &printer)),
                Err(error) => Err(Failure::system("read standard input", error)),
            },
            signal = interrupts.next() => Ok(ended_by(signal)),
        };
        tokio::select! {
            () = fleet.shutdown() => exit,
            signal = interrupts.next() => Ok(ended_by(signal)),
        }
    });
    // It is closed when everything is said.
    let _ = all_said.recv_timeout(LAST_WORDS);
    exit
}

/// Says what is odd from a thread of its own: whoever does not read standard error holds no session up. What comes
/// back closes when all of it is said and nobody has more to say.
fn talk(printer: Arc<Printer>) -> io::Result<(Arc<Talk>, Receiver<()>)> {
    let (say, said) = sync_channel::<String>(WORDS);
    let (saying, all_said) = sync_channel(0);
    let words = move || {
        said.iter().for_each(|text| printer.warn(text));
        drop::<SyncSender<()>>(saying);
    };
    std::thread::Builder::new().name("talk".into()).spawn(words)?;
    let talk = move |text: &str| {
        let _ = say.try_send(text.to_owned());
    };
    Ok((Arc::new(talk), all_said))
}

fn setup(run: &Run, configured: &Configured, asked: Asked) -> Result<Setup, Failure> {
    let settings = &configured.place.settings;
    let variable = |name: &str| configured.variable(name)?.into_string().ok();
    let model = Endpoint::new(&settings.model, variable);
    if let Some(key) = model.as_ref().ok().and_then(Endpoint::key) {
        run.printer.hide([key]);
    }
    let file = asked.system_prompt_file.as_ref().map(|file| run.world.cwd.join(file));
    let system_prompt = file.map(|file| read_file(&file)).transpose()?;
    let results = configured.place.home.folder.join("results");
    let names = |located: &[Located<String>]| located.iter().map(|name| name.value.clone()).collect();
    let approval = &settings.mcp.approval;
    let mut setup = Setup::new(asked, configured.place.workspace.clone(), results, model);
    setup.targets = targets(configured, &run.printer);
    setup.reread = Arc::new(reread(run));
    setup.window = window::length(|name| configured.variable(name));
    setup.way = Way::new(network(run, configured)?, |name| configured.variable(name));
    setup.system_prompt = system_prompt;
    setup.always_load = names(&settings.tools.always_load);
    setup.lazy = settings.mcp.lazy.as_ref().is_some_and(|lazy| lazy.value);
    setup.rules =
        Rules { allow: names(&approval.allow), ask: names(&approval.ask), deny: names(&approval.deny) };
    setup.tells_state = variable("CLAUDE_CODE_SDK_READS_SESSION_STATE").is_some_and(|value| value == "1");
    Ok(setup)
}
