//! `list_directory`: in order, bounded, with what each entry is.

use codewhale_native::{EntryKind, ListDirectory, Stop, list_directory};

use crate::fixture::Fixture;

#[test]
fn entries_come_in_order_and_in_pages() {
    let fixture = Fixture::new();
    for name in ["c", "a", "B", "a.txt", ".hidden"] {
        fixture.file(name, "123");
    }
    fixture.file("sub/inner", "");
    let list = |offset, limit| {
        let asked = ListDirectory { path: None, offset, limit };
        list_directory(&fixture.workspace, &asked, &Stop::default()).unwrap()
    };
    let names = |listed: &codewhale_native::Listed| -> Vec<String> {
        listed.entries.iter().map(|entry| entry.name.clone()).collect()
    };
    let whole = list(None, None);
    assert_eq!(names(&whole), [".hidden", "B", "a", "a.txt", "c", "sub"]);
    assert_eq!((whole.path.as_str(), whole.total, whole.next_offset), (".", 6, None));
    assert_eq!((whole.entries[5].kind, whole.entries[5].size), (EntryKind::Directory, None));
    assert_eq!((whole.entries[2].kind, whole.entries[2].size), (EntryKind::File, Some(3)));
    let first = list(None, Some(4));
    assert_eq!((names(&first).len(), first.next_offset), (4, Some(4)));
    let second = list(first.next_offset, Some(4));
    assert_eq!((names(&second), second.next_offset), (vec!["c".to_owned(), "sub".to_owned()], None));

    let asked = ListDirectory { offset: Some(7), ..ListDirectory::default() };
    let told = list_directory(&fixture.workspace, &asked, &Stop::default()).unwrap_err().to_string();
    assert_eq!(told, "`offset`: `.` has 6 entries");
    let asked = ListDirectory { limit: Some(5001), ..ListDirectory::default() };
    let told = list_directory(&fixture.workspace, &asked, &Stop::default()).unwrap_err().to_string();
    assert_eq!(told, "`limit`: it must be from 1 to 5000");
}

#[cfg(unix)]
#[test]
fn a_link_is_listed_with_where_it_leads() {
    let fixture = Fixture::new();
    fixture.link("away", "../outside/secret");
    let listed = list_directory(&fixture.workspace, &ListDirectory::default(), &Stop::default()).unwrap();
    assert_eq!(listed.entries[0].kind, EntryKind::Link);
    assert_eq!(listed.entries[0].target.as_deref(), Some("../outside/secret"));
    assert_eq!(listed.entries[0].size, None, "what a link leads to is not looked at");
}
