//! The wait of the first prompt as a value.

use std::time::Duration;

use codewhale_host::window::{Event, Outcome, State, Window};

const ZERO: Duration = Duration::ZERO;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn server(name: &str, state: State, completed: usize, total: usize) -> Event {
    Event::Server { name: name.to_owned(), state, completed, total }
}

fn finish(failed: &[&str], timed_out: &[&str]) -> Event {
    Event::Finish { failed: names(failed), timed_out: names(timed_out) }
}

#[test]
fn nothing_is_told_without_anybody_to_wait_for_or_time_to() {
    assert!(Window::open(Vec::new(), Duration::from_secs(2), ZERO).is_none());
    assert!(Window::open(names(&["a"]), ZERO, ZERO).is_none());
}

#[test]
fn failures_count_as_settled_and_the_last_one_closes() {
    let (mut window, told) = Window::open(names(&["a", "b"]), Duration::from_secs(2), ZERO).unwrap();
    assert_eq!(
        told,
        [
            Event::Start { servers: names(&["a", "b"]) },
            server("a", State::Connecting, 0, 2),
            server("b", State::Connecting, 0, 2),
        ]
    );
    let told = window.settled("b", Outcome::Failed("no".into()), Duration::from_millis(5));
    assert_eq!(told, [server("b", State::Failed("no".into()), 1, 2)]);
    assert_eq!(window.settled("b", Outcome::Ready, Duration::from_millis(6)), [], "it has settled already");
    assert_eq!(window.settled("stranger", Outcome::Ready, Duration::from_millis(6)), []);
    let told = window.settled("a", Outcome::Ready, Duration::from_millis(7));
    assert_eq!(told, [server("a", State::Ready, 2, 2), finish(&["b"], &[])]);
    assert!(window.is_closed() && window.deadline().is_none());
    assert_eq!(window.pass(Duration::from_secs(9)), [], "nothing after the end");
    assert_eq!(window.cut(Duration::from_secs(9)), []);
}

#[test]
fn the_time_goes_before_whatever_comes_at_the_same_moment() {
    let open = || Window::open(names(&["a", "b"]), Duration::from_secs(2), Duration::from_secs(1)).unwrap().0;
    let late =
        [server("a", State::Timeout, 1, 2), server("b", State::Timeout, 2, 2), finish(&[], &["a", "b"])];
    let end = Duration::from_secs(3);
    assert_eq!(open().deadline(), Some(end));
    assert_eq!(open().pass(end - Duration::from_nanos(1)), []);
    assert_eq!(open().pass(end), late);
    assert_eq!(open().settled("a", Outcome::Ready, end), late);
    assert_eq!(open().cut(end), late);
}

#[test]
fn who_is_open_when_it_is_cut_short_has_not_settled() {
    let (mut window, _) = Window::open(names(&["a", "b"]), Duration::from_secs(2), ZERO).unwrap();
    window.settled("a", Outcome::Ready, ZERO);
    assert_eq!(window.cut(Duration::from_millis(1)), [finish(&[], &["b"])]);
}

#[test]
fn a_window_without_an_end_stays_open() {
    let (mut window, _) = Window::open(names(&["a"]), Duration::MAX, Duration::from_secs(1)).unwrap();
    assert_eq!(window.deadline(), None);
    assert_eq!(window.pass(Duration::from_secs(1 << 40)), []);
    assert!(!window.is_closed());
}
