//! What differs between the eras once a handshake is over. The two never meet.

mod legacy;
mod modern;

pub(crate) use legacy::Legacy;
pub(crate) use modern::Modern;
