//! Random paths in random trees lead where the simplest reading of them leads, and never outside.
#![cfg(unix)]

use codewhale_native::{Fault, ReadFile, Refused, Stop, read_file};
use proptest::prelude::*;

use crate::fixture::Fixture;
use crate::model::{Choices, Way, naive, plant, tree};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_path_leads_where_its_text_says_or_nowhere(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let fixture = Fixture::new();
        let root = fixture.root();
        let mut choices = Choices::new(&bytes);
        let tree = tree(&mut choices, &root, 12);
        plant(&tree, &root);
        for _ in 0..20 {
            let path = choices.path(&root);
            let asked = ReadFile { path: path.clone(), ..ReadFile::default() };
            let outcome = read_file(&fixture.workspace, &asked, &Stop::default());
            let expected = naive(&tree, &root, &path);
            let same = match &outcome {
                Ok(read) => Way::File(read.text.as_deref().unwrap_or_default().parse().unwrap_or(usize::MAX)) == expected,
                Err(Fault::Refused(Refused::Outside { .. } | Refused::LinkOutside { .. })) => expected == Way::Outside,
                Err(Fault::Refused(Refused::NotFound { .. })) => expected == Way::Missing,
                Err(Fault::Refused(Refused::NotFile { .. })) => expected == Way::Directory,
                Err(Fault::Refused(Refused::NotDirectory { .. } | Refused::TooManyLinks { .. })) => expected == Way::Impossible,
                Err(_) => false,
            };
            prop_assert!(same, "{path:?} in {tree:?}: {outcome:?}, not {expected:?}");
        }
    }
}
