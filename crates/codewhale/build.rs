//! Has the linker pack the addresses that the loader fills in, where the system's loader can read that.

#![expect(clippy::disallowed_methods, reason = "a build script is told by variables, and asks the system")]

use std::env::var;
use std::process::Command;

/// The first glibc whose loader reads packed relocations (`DT_RELR`).
const FIRST: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if is_for_this_system() && glibc().is_some_and(|version| version >= FIRST) {
        // Twenty thousand addresses are half a megabyte otherwise, and most of what the start of the program takes. A
        // linker that does not know the word goes on without it, and a loader that is too old says so.
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Built here to run here: otherwise nothing is known of the loader.
fn is_for_this_system() -> bool {
    let is = |name, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && var("TARGET").is_ok_and(|target| is("HOST", &target))
}

/// The version of this system's C library.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
