//! How a person logs in.

use std::io::{PipeWriter, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use codewhale_cli::{BrowserUrl, CannotOpen, Exit, Opener, Signal};
use codewhale_testkit::HttpFake;
use tokio::sync::mpsc;
use url::Url;

use super::browser::redirect;
use super::world::{CALL, asked, bodies, login, machine_of, parameter};
use crate::world::{Machine, Ran, Seen};

/// A login without a browser, whose person is told of the address and has a pipe to paste into.
fn by_hand(machine: &Machine, arguments: &[&str], hand: impl FnOnce(Url, PipeWriter) + Send) -> Ran {
    let (stdin, pasting) = std::io::pipe().unwrap();
    let trial = machine.trial().fed(stdin);
    let (_, stderr) = trial.streams();
    std::thread::scope(|scope| {
        scope.spawn(move || hand(shown(&stderr), pasting));
        trial.run(&[&["mcp", "login", "s"], arguments].concat())
    })
}

/// The address that is shown, once the listener is up.
fn shown(stderr: &Seen) -> Url {
    assert!(stderr.comes("waiting for"));
    let text = stderr.text();
    let line = text.lines().find_map(|line| line.strip_prefix("  http")).unwrap_or_else(|| panic!("{text}"));
    format!("http{line}").parse().unwrap()
}

#[test]
fn the_address_that_a_browser_ended_at_may_be_pasted() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let ran = by_hand(&machine, &["--no-browser"], |url, mut pasting| {
        writeln!(pasting, "what?").unwrap();
        let end = redirect(&url);
        let other = end.as_str().replace(&parameter(&end, "state").unwrap(), "stranger");
        writeln!(pasting, "{other}\n{end}").unwrap();
    });
    let ran = ran.ends(Exit::Ok).says("or paste the address that it ended at");
    ran.says("it still waits").hides("what?").hides("stranger").hides("code-secret");
    machine.run(&CALL).ends(Exit::Ok);
}

#[test]
fn a_line_without_an_end_is_told_once_and_the_login_goes_on() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let ran = by_hand(&machine, &["--no-browser"], |url, mut pasting| {
        writeln!(pasting, "{}", "x".repeat(20_000_000)).unwrap();
        writeln!(pasting, "{}", redirect(&url)).unwrap();
    });
    let ran = ran.ends(Exit::Ok).says("the pasted text is longer than 16384 bytes; it still waits");
    assert_eq!(ran.to_string().matches("it still waits").count(), 1, "{ran}");
}

#[test]
fn a_browser_that_somebody_opened_may_come_back_too() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let ran = by_hand(&machine, &["--no-browser"], |url, pasting| {
        drop(pasting);
        let page = super::browser::get(&redirect(&url));
        assert!(page.contains("You are logged in"), "{page}");
    });
    ran.ends(Exit::Ok);
}

#[test]
fn a_browser_that_cannot_be_opened_is_no_end() {
    #[derive(Debug)]
    struct Missing;
    impl Opener for Missing {
        fn open(&self, _: &BrowserUrl) -> Result<(), CannotOpen> {
            Err(CannotOpen { reason: "there is no screen".to_owned() })
        }
    }
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let trial = machine.trial().browser(Arc::new(Missing));
    let (_, stderr) = trial.streams();
    let ran = std::thread::scope(|scope| {
        scope.spawn(move || super::browser::get(&redirect(&shown(&stderr))));
        trial.run(&["mcp", "login", "s"])
    });
    ran.ends(Exit::Ok)
        .says("warning: cannot open a browser: there is no screen")
        .says("open this address in a browser");
}

#[test]
fn a_code_is_typed_in_on_another_device_where_that_is_offered() {
    let fake = HttpFake::start("oauth --device yes --pending 1 --scope read");
    let machine = machine_of(&fake);
    let (ran, opened) = login(&machine, &["s", "--device"]);
    let ran = ran.ends(Exit::Ok).says("and type in the code WHAL-CODE").says("/device\n");
    ran.says("the code is good for 10 minutes").hides("-secret-");
    assert_eq!((opened.len(), asked(&fake, "/authorize")), (0, 0));
    assert_eq!(bodies(&fake, "/token").len(), 2);
    machine.run(&CALL).ends(Exit::Ok);
}

#[test]
fn where_it_is_not_offered_an_address_is_shown() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let ran = by_hand(&machine, &["--device"], |url, mut pasting| {
        writeln!(pasting, "{}", redirect(&url)).unwrap();
    });
    ran.ends(Exit::Ok).hides("type in the code");
}

#[test]
fn a_login_ends_with_an_interrupt_and_frees_its_port() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let (sender, signals) = mpsc::channel(1);
    let trial = machine.trial().signals(signals);
    let (_, stderr) = trial.streams();
    let ran = std::thread::scope(|scope| {
        let port = scope.spawn(move || {
            let back = parameter(&shown(&stderr), "redirect_uri").unwrap();
            sender.blocking_send(Signal::Interrupt).unwrap();
            back.parse::<Url>().unwrap().port().unwrap()
        });
        let ran = trial.run(&["mcp", "login", "s", "--no-browser"]);
        TcpListener::bind(("127.0.0.1", port.join().unwrap())).expect("the port is free");
        ran
    });
    ran.ends(Exit::Interrupted);
    machine.run(&["mcp", "list"]).prints("s  ").hides("logged in");
}

#[test]
fn the_settings_of_the_user_say_where_a_browser_comes_back_to() {
    let fake = HttpFake::start("oauth");
    let machine = machine_of(&fake);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = machine.home().join(".codewhale/config.toml");
    machine.write(&settings, &format!("mcp_oauth_callback_port = {port}\n"));
    // A project has no say in it.
    machine.write(&machine.work().join(".codewhale/config.toml"), "mcp_oauth_callback_port = 1\n");
    let uri = |opened: &[Url]| parameter(&opened[0], "redirect_uri").unwrap();
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok);
    assert_eq!(uri(&opened), format!("http://127.0.0.1:{port}/callback"));
    machine.write(&settings, "mcp_oauth_callback_url = \"http://localhost/back\"\n");
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Ok);
    assert!(uri(&opened).starts_with("http://localhost:") && uri(&opened).ends_with("/back"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    machine.write(&settings, &format!("mcp_oauth_callback_port = {}\n", taken.local_addr().unwrap().port()));
    let (ran, opened) = login(&machine, &["s"]);
    ran.ends(Exit::Failed).says("another program listens there").says("mcp_oauth_callback_port");
    assert_eq!(opened.len(), 0);
    machine.write(&settings, "mcp_oauth_callback_url = \"https://box.example/cb\"\n");
    login(&machine, &["s"]).0.ends(Exit::Usage).says("needs mcp_oauth_callback_port");
}
