//! Images, sound and other bytes become files.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::failure::Failure;

/// How often a name is tried that is taken.
const TRIES: u32 = 10_000;
/// The most files of one answer.
const MOST: usize = 1_000;

/// As the standard says, and tolerant of missing padding, which servers forget.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Puts bytes into files of one folder, which is made with the first of them. No file is ever overwritten.
pub(super) struct Saver {
    place: Place,
    stem: String,
    /// The number that the next file is tried with.
    next: u32,
    saved: Vec<PathBuf>,
}

enum Place {
    /// A folder that was asked for.
    Named(PathBuf),
    /// A new folder in here, for this user's eyes only.
    Within(PathBuf),
    /// That folder.
    Private(PathBuf),
}

/// Why bytes did not become a file.
pub(super) enum NotSaved {
    /// The text is not base64.
    NotBase64,
    /// There are too many files.
    TooMany,
    Failed(Failure),
}

impl Saver {
    pub(super) fn new(named: Option<PathBuf>, temp: &Path, stem: &str) -> Self {
        let place = named.map_or_else(|| Place::Within(temp.to_owned()), Place::Named);
        Self { place, stem: file_stem(stem), next: 1, saved: Vec::new() }
    }

    /// Every file, in order.
    pub(super) fn saved(&self) -> &[PathBuf] {
        &self.saved
    }

    /// Decodes a base64 text into a file, and says where and how large it is.
    pub(super) fn save(&mut self, base64: &str, mime_type: &str) -> Result<(PathBuf, u64), NotSaved> {
        if self.saved.len() == MOST {
            return Err(NotSaved::TooMany);
        }
        // Some servers break the lines, as in mail.
        let text: String = base64.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let bytes = BASE64.decode(text).map_err(|_| NotSaved::NotBase64)?;
        let folder = self.folder().map_err(NotSaved::Failed)?;
        let path = self.write(&folder, extension(mime_type), &bytes).map_err(|error| {
            NotSaved::Failed(Failure::system(format!("save a file in `{}`", folder.display()), error))
        })?;
        self.saved.push(path.clone());
        Ok((path, bytes.len() as u64))
    }

    fn folder(&mut self) -> Result<PathBuf, Failure> {
        match &self.place {
            Place::Private(folder) => Ok(folder.clone()),
            Place::Named(folder) => {
                let failed =
                    |error| Failure::system(format!("make the folder `{}`", folder.display()), error);
                std::fs::create_dir_all(folder).map_err(failed)?;
                Ok(folder.clone())
            }
            Place::Within(temp) => {
                let failed = |error| Failure::system(format!("make a folder in `{}`", temp.display()), error);
                let mut builder = tempfile::Builder::new();
                builder.prefix("codewhale-");
                #[cfg(unix)]
                builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
                let folder = builder.tempdir_in(temp).map_err(failed)?.keep();
                self.place = Place::Private(folder.clone());
                Ok(folder)
            }
        }
    }

    fn write(&mut self, folder: &Path, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Place::Private(_) = self.place {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        for number in self.next..self.next.saturating_add(TRIES) {
            self.next = number + 1;
            let path = folder.join(format!("{}-{number}.{extension}", self.stem));
            match options.open(&path) {
                Ok(mut file) => {
                    file.write_all(bytes)?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("every name is taken"))
    }
}

/// A name of the server's as the beginning of a file's name.
fn file_stem(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let stem: String = name.chars().map(safe).take(64).collect();
    if stem.is_empty() { "file".to_owned() } else { stem }
}

/// What files of a media type are called. Nothing of the server's own words becomes part of a path.
fn extension(mime_type: &str) -> &'static str {
    let essence = mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "image/png" => "png",
        "image/jpeg" | "image/jpg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "image/bmp" => "bmp",
        "image/avif" => "avif",
        "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
        "audio/mpeg" | "audio/mp3" => "mp3",
        "audio/ogg" => "ogg",
        "audio/flac" => "flac",
        "audio/webm" | "video/webm" => "webm",
        "video/mp4" => "mp4",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "application/gzip" => "gz",
        "application/json" => "json",
        "text/plain" => "txt",
        "text/html" => "html",
        "text/csv" => "csv",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_files_that_never_overwrite_one_another() {
        let temp = tempfile::tempdir().unwrap();
        let mut saver = Saver::new(Some(temp.path().join("new/out")), temp.path(), "../get image");
        for (number, text) in ["aGk=", "aGk", "a\r\nGk="].iter().enumerate() {
            let Ok((path, size)) = saver.save(text, "image/PNG; x=y") else { panic!("{text:?} is base64") };
            assert_eq!(path, temp.path().join(format!("new/out/___get_image-{}.png", number + 1)));
            assert_eq!((std::fs::read(path).unwrap().as_slice(), size), (b"hi".as_slice(), 2));
        }
        assert!(matches!(saver.save("%%%", "image/png"), Err(NotSaved::NotBase64)));
        assert_eq!(saver.saved().len(), 3);
    }

    #[test]
    fn without_a_folder_a_new_one_is_made_once() {
        let temp = tempfile::tempdir().unwrap();
        let mut saver = Saver::new(None, temp.path(), "t");
        let folders: Vec<_> = (0..2)
            .map(|_| match saver.save("aGk=", "application/x-odd") {
                Ok((path, _)) => path.parent().unwrap().to_owned(),
                Err(_) => panic!("it is base64"),
            })
            .collect();
        assert!(folders[0].starts_with(temp.path()) && folders[0] == folders[1], "{folders:?}");
        #[cfg(unix)]
        for (path, mode) in [(&folders[0], 0o700), (&saver.saved()[0], 0o600)] {
            let found =
                std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions());
            assert_eq!(found & 0o777, mode, "{path:?}");
        }
    }

    #[test]
    fn many_files_take_no_longer_than_their_number_and_have_a_bound() {
        let temp = tempfile::tempdir().unwrap();
        let mut saver = Saver::new(None, temp.path(), "t");
        for _ in 0..MOST {
            assert!(saver.save("aGk=", "image/png").is_ok());
        }
        assert_eq!(saver.next as usize, MOST + 1, "no name was tried twice");
        assert!(matches!(saver.save("aGk=", "image/png"), Err(NotSaved::TooMany)));
    }
}
