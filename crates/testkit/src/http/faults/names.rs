//! Names that no header can hold as they are.

use crate::faults::Setup;
use crate::http::mode::{Mode, row};
use crate::options::Options;

pub(in crate::http) const MODES: &[Mode] =
    &[row("wrapped-names", "", "tools, prompts and resources with names that are not ASCII", |_, plan| {
        plan.builders.push(wrapped);
    })];

fn wrapped(_: &Options, setup: &mut Setup) {
    for name in ["查询", " padded ", "=?base64?literal?=", "tab\there", "two\nlines", "café", "in the middle"]
    {
        setup.base.catalogue.add_tool(name, "", r#""inputSchema":{"type":"object"}"#);
    }
    let catalogue = &mut setup.base.catalogue;
    catalogue.prompts.push(r#"{"name":"挨拶"}"#.to_owned());
    catalogue.resources.push(r#"{"uri":"text://漢字/é?q=%20","name":"漢字"}"#.to_owned());
}
