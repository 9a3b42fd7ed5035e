//! A connection over the process's own standard input and output.

use std::io;

use crate::Server;

/// Serves the client at the other end of standard input and output, until it closes them: the way a host runs a server.
/// See [`serve_blocking`](crate::serve_blocking) for how it ends.
///
/// Nothing else may write to standard output meanwhile.
///
/// # Errors
/// When the input breaks off, or what is needed cannot be had from the system.
pub async fn serve_stdio(server: &Server) -> io::Result<()> {
    #[cfg(unix)]
    return super::pipe::serve_pipes(server).await;
    #[cfg(not(unix))]
    return super::serve_blocking(server, io::stdin(), io::stdout()).await;
}
