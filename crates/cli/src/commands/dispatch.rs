//! Which command is which.

use super::offered::{self, Kind};
use super::{
    add, add_self, call, change, check, complete, connect, get, init, list, login, logs, prompt, read, shell,
    subscribe, tasks, tools, trust,
};
use crate::args::{Command, McpCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;
use crate::served;

/// Does one command.
pub(crate) fn dispatch(run: &mut Run, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Mcp { command } => mcp(run, command),
        Command::Trust(args) => trust::trust(run, &args),
        Command::Untrust(args) => trust::untrust(run, &args),
        Command::Serve(args) => served::run(run, &args.server),
        Command::McpServer(args) => served::run(run, &args),
        Command::Completions { shell } => shell::completions(run, shell),
        Command::Man { dir } => shell::man(run, dir.as_deref()),
    }
}

fn mcp(run: &mut Run, command: McpCommand) -> Result<Exit, Failure> {
    if command.in_place_of_name().is_some_and(|named| named.lacks_url()) {
        return Err(Failure::usage(
            "how a remote server is spoken to stands in its definition, or beside --url",
        ));
    }
    match command {
        McpCommand::Init(args) => init::init(run, &args),
        McpCommand::List(args) if args.check => check::check(run, None, &args.budgets),
        McpCommand::List(_) => list::list(run),
        McpCommand::Get(args) => get::get(run, &args.name),
        McpCommand::Add(args) => add::add(run, &args),
        McpCommand::AddJson(args) => add::add_json(run, &args),
        McpCommand::AddSelf(args) => add_self::add_self(run, &args),
        McpCommand::Remove(args) => change::change(run, &args, change::Change::Remove),
        McpCommand::Enable(args) => change::change(run, &args, change::Change::Enable),
        McpCommand::Disable(args) => change::change(run, &args, change::Change::Disable),
        McpCommand::Trust(args) => trust::trust(run, &args),
        McpCommand::Untrust(args) => trust::untrust(run, &args),
        McpCommand::Validate(args) => check::check(run, args.target.asked(), &args.budgets),
        McpCommand::Connect(args) => connect::connect(run, &args),
        McpCommand::Tools(args) => tools::tools(run, &args),
        McpCommand::Call(args) => call::call(run, &args),
        McpCommand::Resources(args) => offered::list(run, Kind::Resources, &args),
        McpCommand::Templates(args) => offered::list(run, Kind::Templates, &args),
        McpCommand::Prompts(args) => offered::list(run, Kind::Prompts, &args),
        McpCommand::Read(args) => read::read(run, &args),
        McpCommand::Prompt(args) => prompt::prompt(run, &args),
        McpCommand::Complete(args) => complete::complete(run, &args),
        McpCommand::Subscribe(args) => subscribe::subscribe(run, &args),
        McpCommand::Tasks(args) => tasks::tasks(run, &args),
        McpCommand::Login(args) => login::login(run, &args),
        McpCommand::Logout(args) => login::logout(run, &args),
        McpCommand::Logs(args) => logs::logs(run, &args),
    }
}
