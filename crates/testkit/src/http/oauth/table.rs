//! The row of the table.

use super::hostile::Hostile;
use super::provider::{Provider, Rules};
use crate::http::mode::{Mode, row};

pub(in crate::http) const MODES: &[Mode] = &[row(
    "oauth",
    "--expires SECS --uses N --reuse grace|revoke --scope SCOPES --needs SCOPE --at METHOD \
     --device yes --pending N --register no --revocation no --declines yes --client ID --refresh no --metadata no \
     --withholds SCOPE --also QUERY --twice MEMBER --says MEMBER=VALUE --resource-says MEMBER=VALUE --told URL --iss none|ISSUER --error TEXT --padding BYTES \
     --loops yes",
    "wants a token, which it gives to whoever asks",
    |options, plan| {
        let is_not = |name: &str, word: &str| options.text(name).as_deref() != Some(word);
        let rules = Rules {
            expires: options.number("expires", 3600),
            uses: options.text("uses").and_then(|text| text.parse().ok()),
            gives_again: is_not("reuse", "revoke"),
            refreshes: is_not("refresh", "no"),
            scopes: options.text("scope"),
            needs: options.text("needs"),
            withholds: options.text("withholds"),
            at: options.word("at", "tools/call"),
            device: options.has("device").then(|| options.number("pending", 0)),
            registers: is_not("register", "no"),
            revokes: is_not("revocation", "no"),
            declines: options.has("declines"),
            client: options.text("client"),
            has_metadata: is_not("metadata", "no"),
            hostile: Hostile::read(options),
        };
        let mut provider = Provider::new(rules);
        plan.first_gate(move |knock| super::gate::answer(&mut provider, knock));
    },
)];
