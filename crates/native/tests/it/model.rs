//! A tree of folders, files and links as a value, and the simplest way through it that can be written down.
//!
//! Both the tree and the paths come from bytes, so that they can be chosen by anything that chooses bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names, few so that they meet.
pub(crate) const NAMES: [&str; 4] = ["a", "b", "c", "long name é"];

/// What stands in a folder.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Directory(BTreeMap<String, Node>),
    /// What stands in the file is its number.
    File(usize),
    Link(String),
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    File(usize),
    Directory,
    Outside,
    Missing,
    /// Through a file, or through too many links.
    Impossible,
}

/// Chooses from bytes; at their end it chooses the first.
pub(crate) struct Choices<'b>(std::slice::Iter<'b, u8>);

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes.iter())
    }

    fn below(&mut self, end: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % end
    }

    /// A path: relative, or below the workspace, or elsewhere.
    pub(crate) fn path(&mut self, root: &Path) -> String {
        let beginning = match self.below(8) {
            0 => format!("{}/", root.display()),
            1 => format!("{}/../outside/", root.display()),
            2 => "../outside/".to_owned(),
            _ => String::new(),
        };
        let count = 1 + self.below(7);
        let names: Vec<&str> = (0..count)
            .map(|_| match self.below(9) {
                0 | 1 => "..",
                2 => ".",
                3 => "",
                other => NAMES[(other - 4) % NAMES.len()],
            })
            .collect();
        let path = beginning + &names.join("/");
        // An empty text is no path, and no link has one.
        if path.is_empty() { ".".to_owned() } else { path }
    }
}

/// A tree of at most so many nodes.
pub(crate) fn tree(choices: &mut Choices<'_>, root: &Path, nodes: usize) -> Node {
    let mut tree = Node::Directory(BTreeMap::new());
    let mut folders: Vec<Vec<String>> = vec![Vec::new()];
    for number in 0..nodes {
        let folder = folders[choices.below(folders.len())].clone();
        let name = NAMES[choices.below(NAMES.len())].to_owned();
        let node = match choices.below(6) {
            0 | 1 => Node::Directory(BTreeMap::new()),
            2 => Node::File(number),
            _ => Node::Link(choices.path(root)),
        };
        let is_folder = matches!(node, Node::Directory(_));
        let Some(Node::Directory(entries)) = at(&mut tree, &folder) else { continue };
        if !entries.contains_key(&name) {
            entries.insert(name.clone(), node);
            if is_folder {
                folders.push(folder.into_iter().chain([name]).collect());
            }
        }
    }
    tree
}

fn at<'t>(tree: &'t mut Node, folder: &[String]) -> Option<&'t mut Node> {
    folder.iter().try_fold(tree, |node, name| match node {
        Node::Directory(entries) => entries.get_mut(name),
        _ => None,
    })
}

/// Makes the tree below a folder that is there.
#[cfg(unix)]
pub(crate) fn plant(tree: &Node, at: &Path) {
    let Node::Directory(entries) = tree else { return };
    for (name, node) in entries {
        let path = at.join(name);
        match node {
            Node::Directory(_) => {
                std::fs::create_dir(&path).expect("in a folder of the test");
                plant(node, &path);
            }
            Node::File(number) => {
                std::fs::write(&path, number.to_string()).expect("in a folder of the test");
            }
            Node::Link(target) => {
                std::os::unix::fs::symlink(target, &path).expect("in a folder of the test");
            }
        }
    }
}

/// Where a path leads, found by doing what its text says, link by link.
pub(crate) fn naive(tree: &Node, root: &Path, path: &str) -> Way {
    let mut here: Vec<String> = Vec::new();
    let mut rest: Vec<String> = Vec::new();
    let mut links = 0;
    if !take(&mut here, &mut rest, root, path) {
        return Way::Outside;
    }
    while !rest.is_empty() {
        let name = rest.remove(0);
        if name == ".." {
            if here.pop().is_none() {
                return Way::Outside;
            }
            continue;
        }
        let Some(Node::Directory(entries)) = look(tree, &here) else { return Way::Impossible };
        match entries.get(&name) {
            None => return Way::Missing,
            Some(Node::Directory(_)) => here.push(name),
            Some(Node::File(number)) if rest.is_empty() => return Way::File(*number),
            Some(Node::File(_)) => return Way::Impossible,
            Some(Node::Link(target)) => {
                links += 1;
                if links > 40 {
                    return Way::Impossible;
                }
                if !take(&mut here, &mut rest, root, target) {
                    return Way::Outside;
                }
            }
        }
    }
    Way::Directory
}

/// Puts the names of a path before those that are left; an absolute one begins at the workspace, or is outside.
fn take(here: &mut Vec<String>, rest: &mut Vec<String>, root: &Path, path: &str) -> bool {
    let path = match Path::new(path).strip_prefix(root) {
        Ok(below) => {
            here.clear();
            below.to_path_buf()
        }
        Err(_) if path.starts_with('/') => return false,
        Err(_) => PathBuf::from(path),
    };
    let names = path.iter().filter(|name| *name != ".").map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.append(rest);
    *rest = names;
    true
}

fn look<'t>(tree: &'t Node, folder: &[String]) -> Option<&'t Node> {
    folder.iter().try_fold(tree, |node, name| match node {
        Node::Directory(entries) => entries.get(name),
        _ => None,
    })
}
