//! A server made with rmcp, the official Rust SDK.

use crate::check::{Check, Outcome, checks};
use crate::expect::tools;
use crate::peer::{plain, with};
use crate::world::World;

pub(crate) fn checks() -> Vec<Check> {
    checks!["rmcp"; lists_its_tools]
}

async fn lists_its_tools(world: &World) -> Outcome {
    with(world.rmcp()?, plain(), async |client| tools(client).await.map(drop)).await
}
