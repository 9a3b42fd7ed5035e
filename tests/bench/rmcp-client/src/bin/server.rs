//! `bench-rmcp-server`: a server made with rmcp as its documentation shows it, with a thread for each processor.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ServiceExt, schemars, tool, tool_router};

struct Echo;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Said {
    /// What is sent back.
    text: String,
}

#[tool_router(server_handler)]
impl Echo {
    #[tool(description = "Sends text back.")]
    async fn echo(&self, Parameters(Said { text }): Parameters<Said>) -> String {
        text
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Echo.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
