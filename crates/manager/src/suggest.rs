//! Names that a mistyped one may have meant.

/// How alike two names must be, from 0 to 1.
const ALIKE: f64 = 0.8;
/// The most names that are suggested.
const MOST: usize = 3;

/// The names closest to a mistyped one, the closest first; at most three, none if nothing is close.
#[must_use]
pub fn suggest<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let folded = fold(wanted);
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (likeness(&folded, &fold(name)), name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
    scored.dedup_by(|one, other| one.1 == other.1);
    scored.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// Case and separators are what people get wrong first.
fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn likeness(wanted: &str, name: &str) -> f64 {
    // Part of a name is likely meant as that name; one or two letters are part of too many.
    let part = wanted.chars().count() > 2 && name.contains(wanted);
    let alike = strsim::normalized_damerau_levenshtein(wanted, name).max(strsim::jaro_winkler(wanted, name));
    if part { alike.max(ALIKE) } else { alike }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_suggested_and_strangers_are_not() {
        let names = ["echo", "delete_all", "list_issues", "listIssues", "add"];
        let rows: [(&str, &[&str]); 6] = [
            ("ehco", &["echo"]),
            ("list-issues", &["listIssues", "list_issues"]),
            ("deleteall", &["delete_all"]),
            ("issues", &["listIssues", "list_issues"]),
            ("zzz", &[]),
            ("", &[]),
        ];
        for (wanted, meant) in rows {
            assert_eq!(suggest(wanted, names), meant, "{wanted}");
        }
    }
}
