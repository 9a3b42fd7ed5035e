//! The ways to a server.

use std::fmt;

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum By {
    /// A process of its own for each check, by its standard streams.
    Pipes,
    /// Streamable HTTP, to a process that all checks share.
    Http(Route),
    /// HTTP+SSE, likewise.
    Events(Route),
}

/// What stands before a server that is reached over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Route {
    /// Nothing.
    Direct,
    /// nginx as Debian sets it up, which buffers answers unless the server says that it must not.
    Nginx,
    /// nginx that is told not to buffer answers.
    UnbufferedNginx,
    /// The proxy that the environment names, which alone knows where the server's name leads.
    Tinyproxy,
}

impl By {
    /// Streamable HTTP on every route.
    pub(crate) const HTTP: [Self; 3] =
        [Self::Http(Route::Direct), Self::Http(Route::Nginx), Self::Http(Route::Tinyproxy)];
    /// HTTP+SSE on every route that it can take: where answers are buffered, a server that does not ask nginx to
    /// leave its stream alone is never heard.
    pub(crate) const EVENTS: [Self; 3] =
        [Self::Events(Route::Direct), Self::Events(Route::UnbufferedNginx), Self::Events(Route::Tinyproxy)];
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (binding, route) = match self {
            Self::Pipes => return f.write_str("stdio"),
            Self::Http(route) => ("http", route),
            Self::Events(route) => ("sse", route),
        };
        f.write_str(binding)?;
        match route {
            Route::Direct => Ok(()),
            Route::Nginx => f.write_str(", nginx"),
            Route::UnbufferedNginx => f.write_str(", unbuffered nginx"),
            Route::Tinyproxy => f.write_str(", tinyproxy"),
        }
    }
}
