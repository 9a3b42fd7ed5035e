//! A path of any text in any tree of folders and links leads where its text says, link by link, and never outside.
#![no_main]

#[path = "../../../crates/native/tests/it/model.rs"]
mod model;

use codewhale_native::{Fault, Keep, ReadFile, Refused, Stop, Workspace, read_file};
use libfuzzer_sys::fuzz_target;
use model::{Choices, Way, naive, plant, tree};

fuzz_target!(|bytes: &[u8]| {
    let base = tempfile::tempdir().expect("a folder of our own");
    let root = base.path().join("work");
    std::fs::create_dir_all(&root).expect("in a folder of our own");
    std::fs::create_dir(base.path().join("outside")).expect("in a folder of our own");
    for name in model::NAMES {
        std::fs::write(base.path().join("outside").join(name), "outside").expect("in a folder of our own");
    }
    let mut choices = Choices::new(bytes);
    let tree = tree(&mut choices, &root, 16);
    plant(&tree, &root);
    let workspace = Workspace::open(&root, &Keep::default()).expect("it is there");
    for _ in 0..16 {
        let path = choices.path(&root);
        let asked = ReadFile { path: path.clone(), ..ReadFile::default() };
        let outcome = read_file(&workspace, &asked, &Stop::default());
        let expected = naive(&tree, &root, &path);
        let same = match &outcome {
            Ok(read) => read.text.as_deref().and_then(|text| text.parse().ok()).map(Way::File) == Some(expected.clone()),
            Err(Fault::Refused(Refused::Outside { .. } | Refused::LinkOutside { .. })) => expected == Way::Outside,
            Err(Fault::Refused(Refused::NotFound { .. })) => expected == Way::Missing,
            Err(Fault::Refused(Refused::NotFile { .. })) => expected == Way::Directory,
            Err(Fault::Refused(Refused::NotDirectory { .. } | Refused::TooManyLinks { .. })) => {
                expected == Way::Impossible
            }
            Err(_) => false,
        };
        assert!(same, "{path:?} in {tree:?}: {outcome:?}, not {expected:?}");
    }
});
