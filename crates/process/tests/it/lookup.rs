//! Look-ups under the rules of both systems, over a file system of strings.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use codewhale_mcp_process::SpawnError;
use codewhale_mcp_process::lookup::{Files, Kind, Miss, Rules, Search, find};

struct Tree(&'static [&'static str]);

impl Files for Tree {
    fn kind(&self, path: &Path) -> Kind {
        let path = path.to_str().unwrap();
        let is = |entry: &&str| entry.eq_ignore_ascii_case(path);
        if self.0.iter().any(is) { Kind::Executable } else { Kind::Missing }
    }
}

const WINDOWS: Tree = Tree(&[
    r"C:\nodejs\npx",
    r"C:\nodejs\npx.cmd",
    r"C:\nodejs\npx.ps1",
    r"C:\nodejs\node.exe",
    r"C:\python\python3.12.exe",
    r"C:\semi;colon\uv.exe",
    r"C:\work\.\serve.bat",
    r"C:\work\here.exe",
    r"D:\tools\odd.bin",
]);

fn on_windows(program: &str, pathext: Option<&str>) -> Result<PathBuf, Miss> {
    let search = Search {
        program: OsStr::new(program),
        path: Some(OsStr::new("C:\\nodejs;C:\\python\\;;\"C:\\semi;colon\";D:\\tools")),
        cwd: Some(Path::new(r"C:\work")),
        rules: Rules::Windows { pathext: pathext.map(OsStr::new) },
    };
    find(&search, &WINDOWS)
}

#[test]
fn windows_finds_what_the_extensions_allow() {
    let check = |program: &str, found: &str| {
        let result = on_windows(program, None);
        assert_eq!(result, Ok(PathBuf::from(found)), "{program}");
    };
    check("npx", r"C:\nodejs\npx.cmd");
    check("npx.cmd", r"C:\nodejs\npx.cmd");
    check("NPX.CMD", r"C:\nodejs\NPX.CMD");
    check("node", r"C:\nodejs\node.exe");
    check("python3.12", r"C:\python\python3.12.exe");
    check("uv", r"C:\semi;colon\uv.exe");
    check("odd.bin", r"D:\tools\odd.bin");
    check(r"C:\nodejs\npx", r"C:\nodejs\npx.cmd");
    check(r".\serve", r"C:\work\.\serve.bat");
}

#[test]
fn windows_keeps_to_pathext_and_out_of_the_working_directory() {
    let usual = ".COM;.EXE;.BAT;.CMD;.VBS;.JS";
    assert_eq!(
        on_windows("npx", Some(usual)),
        Ok(PathBuf::from(r"C:\nodejs\npx.cmd")),
        "never the script for sh"
    );
    assert_eq!(on_windows("npx", Some(".PS1;.CMD")), Ok(PathBuf::from(r"C:\nodejs\npx.ps1")));
    for (program, pathext) in [("npx", Some(".EXE")), ("here", None), ("", None)] {
        assert!(matches!(on_windows(program, pathext), Err(Miss::NotFound { .. })), "{program:?}");
    }
    let Err(Miss::NotFound { path, tried }) = on_windows("gone", Some(".EXE")) else { panic!() };
    assert!(path.is_some());
    let tried: Vec<&str> = tried.iter().map(|path| path.to_str().unwrap()).collect();
    assert_eq!(
        tried,
        [r"C:\nodejs\gone.exe", r"C:\python\gone.exe", r"C:\semi;colon\gone.exe", r"D:\tools\gone.exe"]
    );
}

#[test]
fn a_program_that_is_not_found_is_told_with_every_name_tried() {
    let tried = ["/a/npx.exe", "/a/npx.cmd", "/b/npx.exe", "/b/npx.cmd"].map(PathBuf::from).to_vec();
    let told = |tried: Vec<PathBuf>| {
        let (program, path) = ("npx".into(), Some("/a:/b".into()));
        SpawnError::ProgramNotFound { program, path, tried, cwd: None }.to_string()
    };
    assert_eq!(told(tried), r#"program "npx" not found on PATH, tried "npx.exe", "npx.cmd""#);
    assert_eq!(told(vec!["/a/npx".into(), "/b/npx".into()]), r#"program "npx" not found on PATH"#);
}

#[cfg(unix)]
#[test]
fn unix_finds_what_execvp_would() {
    const TREE: Tree =
        Tree(&["/bin/sh", "/opt/my tools/run it", "/proj/./local", "/proj/bin/srv", "/proj/tools/x"]);
    let check = |program: &str, path: Option<&str>, found: Option<&str>| {
        let search = Search {
            program: OsStr::new(program),
            path: path.map(OsStr::new),
            cwd: Some(Path::new("/proj")),
            rules: Rules::Unix,
        };
        assert_eq!(find(&search, &TREE).ok(), found.map(PathBuf::from), "{program} on {path:?}");
    };
    check("sh", None, Some("/bin/sh"));
    check("sh", Some("/usr/bin:/bin"), Some("/bin/sh"));
    check("sh", Some("/usr/bin"), None);
    check("run it", Some("/opt/my tools"), Some("/opt/my tools/run it"));
    check("/opt/my tools/run it", None, Some("/opt/my tools/run it"));
    check("bin/srv", Some("/usr/bin"), Some("/proj/bin/srv"));
    check("srv", Some("bin"), Some("/proj/bin/srv"));
    check("local", Some("/usr/bin:"), Some("/proj/./local"));
    check("x", Some("tools:/usr/bin"), Some("/proj/tools/x"));
    check("", Some("/bin"), None);
}
