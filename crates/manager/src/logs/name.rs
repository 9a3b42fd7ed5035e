//! The file of a server, whatever the server is called.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The longest name before `.log`; file systems take 255 bytes.
const LONGEST: usize = 180;

/// The file name of a server's log. Two servers never share one, unless the file system ignores case: letters, digits,
/// `-`, `_` and `.` (not the first) stand for themselves, other bytes as `%xx`; what is too long ends with `%-` and a
/// hash.
pub(super) fn file_name(server: &str) -> String {
    let mut name = String::with_capacity(server.len() + 4);
    for (at, byte) in server.bytes().enumerate() {
        match byte {
            b'.' if at == 0 => name.push_str("%2e"),
            b'-' | b'_' | b'.' => name.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => name.push(char::from(byte)),
            // Writing to a `String` cannot fail.
            _ => drop(write!(name, "%{byte:02x}")),
        }
    }
    if name.len() > LONGEST {
        name.truncate(LONGEST - 40);
        name.push_str("%-");
        for byte in &Sha256::digest(server.as_bytes())[..16] {
            let _ = write!(name, "{byte:02x}");
        }
    }
    name + ".log"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_files_and_stay_apart() {
        let rows = [
            ("git", "git.log"),
            ("com.acme-x_1", "com.acme-x_1.log"),
            ("..", "%2e..log"),
            ("../../etc/passwd", "%2e.%2f..%2fetc%2fpasswd.log"),
            ("a b", "a%20b.log"),
            ("a%20b", "a%2520b.log"),
            ("查", "%e6%9f%a5.log"),
        ];
        for (server, file) in rows {
            assert_eq!(file_name(server), file);
        }
        let long = "a".repeat(300);
        let (one, other) = (file_name(&long), file_name(&format!("{long}b")));
        assert!(one.len() <= LONGEST + 4 && one != other, "{one} {other}");
    }
}
