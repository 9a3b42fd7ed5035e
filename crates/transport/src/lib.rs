//! Ways to reach an MCP server.
//!
//! A [`Connector`] opens a [`Link`]; a link is bytes in both directions, or one exchange for each message, and a
//! [`Peer`] that says how it ended. A transport reports facts (bytes, exit codes, signals) and never conclusions such as "legacy" or "needs
//! login"; it knows nothing of messages.
//!
//! - [`stdio`] (feature `stdio`): a process of its own for each link.
//! - [`http`] (feature `http`): exchanges with a server behind a URL.
//! - [`memory`]: a server in this process.
//!
//! ```
//! use codewhale_mcp_transport::{Connector, Link, Way, memory};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (connector, mut server) = memory::pair(1024);
//! let Link::Lines(mut lines) = connector.open(Way::First).await? else { panic!("lines") };
//! server.write_all(b"hello\n").await?;
//! let mut line = [0; 6];
//! lines.inlet.read_exact(&mut line).await?;
//! assert_eq!(&line, b"hello\n");
//! # Ok(())
//! # }
//! ```

mod exchange;
mod frames;
#[cfg(feature = "http")]
pub mod http;
#[cfg(all(unix, feature = "stdio"))]
mod inlet;
mod link;
pub mod memory;
#[cfg(feature = "stdio")]
pub mod stdio;
#[cfg(unix)]
mod wide;

pub use exchange::*;
pub use frames::{Frames, whole};
pub use link::*;
#[cfg(unix)]
pub use wide::{PIPE_HOLDS, widen};
