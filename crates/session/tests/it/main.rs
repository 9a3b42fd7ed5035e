//! What a session does, in table form and with time as an argument.

mod asks;
mod drive;
mod echoed;
mod eras;
mod exchanges;
mod exchanges_eras;
mod hostile;
mod listens;
mod people;
mod renewals;
mod requests;
mod rounds;
