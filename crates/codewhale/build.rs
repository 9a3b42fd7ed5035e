//! How programs are linked where that can be known: what is not touched needs no memory, and no time when they start.

#![expect(clippy::disallowed_methods, reason = "a build script is told by variables, and asks the system")]

use std::env::var;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first glibc whose loader reads packed relocations (`DT_RELR`).
const FIRST: (u32, u32) = (2, 36);

fn main() {
    // Programs that are measured are linked with this, too, from folders of their own.
    let folder = folder().expect("it is below the workspace");
    println!("cargo:rerun-if-changed={}", folder.join("build.rs").display());
    if !is_for_this_system() {
        return;
    }
    if glibc().is_some_and(|version| version >= FIRST) {
        // Twenty thousand addresses are half a megabyte otherwise, and most of what the start of the program takes. A
        // linker that does not know the word goes on without it, and a loader that is too old says so.
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    let layout = folder.join("layout.ld");
    println!("cargo:rerun-if-changed={}", layout.display());
    if is_optimized() && is_linked_as_usual() {
        // The functions that run stand side by side: spread over the program, they bring nearly all of it into memory.
        println!("cargo:rustc-link-arg-bins=-Wl,-T,{}", layout.display());
    }
}

/// Where this file is.
fn folder() -> Option<PathBuf> {
    let package = PathBuf::from(var("CARGO_MANIFEST_DIR").ok()?);
    let candidates = package.ancestors().map(|above| above.join("crates/codewhale"));
    candidates.into_iter().find(|folder: &PathBuf| Path::is_dir(folder))
}

/// Built here to run here: otherwise nothing is known of the loader.
fn is_for_this_system() -> bool {
    let is = |name, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && var("TARGET").is_ok_and(|target| is("HOST", &target))
}

fn is_optimized() -> bool {
    var("PROFILE").is_ok_and(|profile| profile == "release")
}

/// Whether nobody named a linker or what it is told: there are some that read no scripts.
fn is_linked_as_usual() -> bool {
    let flags = var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    var("RUSTC_LINKER").is_err() && !["link-arg", "linker"].iter().any(|word| flags.contains(word))
}

/// The version of this system's C library.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
}
