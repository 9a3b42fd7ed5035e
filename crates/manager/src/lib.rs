//! From a server's definition to a client that is connected to it, and the names its tools go by.
//!
//! It knows budgets and the classes of failure. It does not know how a failure is told to a person, and it
//! takes the environment and every path as arguments.
//!
//! ```
//! use codewhale_mcp_manager::{Catalogue, ToolId};
//!
//! let tool = ToolId { server: "git".into(), tool: "status".into() };
//! let catalogue = Catalogue::new([tool.clone()]);
//! assert_eq!(catalogue.name_of(&tool), Some("mcp_git_status"));
//! assert_eq!(catalogue.tool("mcp_git_status"), Some(&tool));
//! ```

mod connect;
mod failure;
mod names;
mod program;

pub use codewhale_mcp_transport::stdio::{Guard, Launch, guard};
pub use connect::{Connected, connect};
pub use failure::{Class, Failure};
pub use names::{Catalogue, ToolId};
pub use program::is_package_runner;
