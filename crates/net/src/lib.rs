//! Where a request may go, and the way there.
