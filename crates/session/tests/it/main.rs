//! What a session does, in table form and with time as an argument.

mod drive;
mod eras;
mod hostile;
mod requests;
