//! Servers that live.
//!
//! - `pod`: a fleet for one test, with waiting for events
//! - `hall`: servers in memory, for tests that hold the clock
//! - `starting`: from configured to ready
//! - `waiting`: waiting for servers, and hearing of them
//! - `calling`: calls and their answers
//! - `losing`: servers that go, and come again or do not
//! - `lists`: lists that change, fail, are long or empty
//! - `remote`: servers with a URL, which nobody can see leave
//! - `showing`: what is shown of a server
//! - `reloading`: other definitions take the place of those there are
//! - `ending`: the end of servers and of everything
//! - `searching`: tools are looked for, and servers started for it

mod calling;
mod ending;
mod hall;
mod lists;
mod losing;
mod pod;
mod reloading;
mod remote;
mod searching;
mod showing;
mod starting;
mod waiting;
