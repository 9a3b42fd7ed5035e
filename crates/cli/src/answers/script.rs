//! The scripts that a host's name is written in.

/// The scripts whose letters are easily taken for each other's.
const ALIKE: [(&str, &[(u32, u32)]); 6] = [
    ("Latin", &[(0x41, 0x5a), (0x61, 0x7a), (0xaa, 0xaa), (0xba, 0xba), (0xc0, 0x24f), (0x1e00, 0x1eff)]),
    ("Greek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)]),
    ("Cyrillic", &[(0x400, 0x52f), (0x1c80, 0x1c8f), (0x2de0, 0x2dff), (0xa640, 0xa69f)]),
    ("Armenian", &[(0x530, 0x58f)]),
    ("Cherokee", &[(0x13a0, 0x13ff), (0xab70, 0xabbf)]),
    ("Coptic", &[(0x2c80, 0x2cff)]),
];

/// Two scripts that meet in one label of a host's name, if there are two that can be confused.
pub(super) fn mixed(host: &str) -> Option<(&'static str, &'static str)> {
    host.split('.').find_map(|label| {
        let mut found = label.chars().filter_map(script);
        let first = found.next()?;
        found.find(|other| *other != first).map(|other| (first, other))
    })
}

fn script(c: char) -> Option<&'static str> {
    let code = u32::from(c);
    let within = |ranges: &[(u32, u32)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&code));
    ALIKE.iter().find(|(_, ranges)| within(ranges)).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scripts_that_look_alike_in_one_label_are_mixed() {
        for host in ["example.com", "пример.com", "東京tower.jp", "bücher.example", "αβγ.gr", "1.2.3.4", ""]
        {
            assert_eq!(mixed(host), None, "{host}");
        }
        assert_eq!(mixed("www.pаypal.com"), Some(("Latin", "Cyrillic")));
        assert_eq!(mixed("gοοgle.com"), Some(("Latin", "Greek")));
    }
}
