//! A folder that becomes a link, and a link that comes to lead elsewhere, while tools are at work.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use codewhale_native::{
    EditFile, FindFiles, ReadFile, SearchText, Stop, WriteFile, edit_file, find_files, read_file,
    search_text, write_file,
};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::fixture::{Fixture, SECRET};

/// How often each tool is called while things are swapped.
const CALLS: usize = 100;

#[cfg(target_os = "linux")]
#[test]
fn nothing_outside_is_read_or_written_while_links_are_swapped() {
    let fixture = Fixture::new();
    fixture.file("door/secret", "inside").link("elsewhere", "../outside").file("inner/secret", "inside");
    fixture.link("sign", "inner").link("wrong", "../outside");
    fs::write(fixture.outside().join("only-outside"), SECRET).unwrap();
    let (done, swaps) = (AtomicBool::new(false), std::sync::atomic::AtomicUsize::new(0));
    let swap = |one: &str, other: &str| {
        let root = fixture.root();
        renameat_with(CWD, root.join(one), CWD, root.join(other), RenameFlags::EXCHANGE).unwrap();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap("door", "elsewhere");
                swap("sign", "wrong");
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let stop = Stop::default();
        let mut inside = 0;
        for call in 0..CALLS {
            for path in ["door/secret", "sign/secret"] {
                let asked = ReadFile { path: path.to_owned(), ..ReadFile::default() };
                if let Ok(read) = read_file(&fixture.workspace, &asked, &stop) {
                    assert_eq!(read.text.as_deref(), Some("inside"));
                    inside += 1;
                }
                let asked = WriteFile {
                    path: format!("{path}-{call}"),
                    text: "x".to_owned(),
                    ..WriteFile::default()
                };
                // Where it went is looked at below.
                let _ = write_file(&fixture.workspace, &asked, &Stop::default());
                let (old_text, new_text) = ("secret".to_owned(), "x".to_owned());
                let asked = EditFile { path: path.to_owned(), old_text, new_text, replace_all: false };
                assert!(
                    edit_file(&fixture.workspace, &asked, &Stop::default()).is_err(),
                    "there is no such text inside"
                );
            }
            let asked = SearchText { pattern: "secret".to_owned(), ..SearchText::default() };
            let found = search_text(&fixture.workspace, &asked, &stop).unwrap();
            assert_eq!(found.matches, []);
            let asked = FindFiles { pattern: "only-outside".to_owned(), ..FindFiles::default() };
            let found = find_files(&fixture.workspace, &asked, &stop).unwrap();
            assert_eq!(found.paths, [] as [String; 0]);
        }
        done.store(true, Ordering::Relaxed);
        assert!(inside > 0, "the swaps left no moment in which a file was there");
    });
    assert!(swaps.load(Ordering::Relaxed) > 10, "next to nothing was swapped");
    assert_eq!(fs::read_to_string(fixture.outside().join("secret")).unwrap(), SECRET);
    assert_eq!(fs::read_dir(fixture.outside()).unwrap().count(), 2);
}
