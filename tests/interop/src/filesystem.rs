//! The reference server `server-filesystem`: every tool, on a folder that goes away.

use std::fs;
use std::path::Path;

use codewhale_mcp_protocol::{ContentKind, Revision};
use serde_json::{Value, json};

use crate::check::{Check, Outcome, checks};
use crate::expect::{call, contains, holds, same, say, say_failed, structured, tools};
use crate::peer::{answered_by, plain, speaks, with};
use crate::person::Person;
use crate::world::World;

pub(crate) fn checks() -> Vec<Check> {
    checks!["filesystem";
        lists_its_tools,
        writes_and_reads_texts,
        reads_media,
        lists_and_searches_folders,
        edits_and_moves_files,
        stays_in_its_folder,
        takes_its_folders_from_the_client,
    ]
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

async fn lists_its_tools(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        speaks(client, Revision::V2025_11_25)?;
        let wanted = [
            "create_directory",
            "directory_tree",
            "edit_file",
            "get_file_info",
            "list_allowed_directories",
            "list_directory",
            "list_directory_with_sizes",
            "move_file",
            "read_file",
            "read_media_file",
            "read_multiple_files",
            "read_text_file",
            "search_files",
            "write_file",
        ];
        same("the tools", tools(client).await?, wanted)?;
        let allowed = say(client, "list_allowed_directories", json!({})).await?;
        contains(&allowed, &folder.path().display().to_string())
    })
    .await
}

async fn writes_and_reads_texts(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        let text = "first\nzażółć 🐳\nthird\n";
        let (one, two) = (folder.path().join("one.txt"), folder.path().join("two.txt"));
        say(client, "write_file", json!({ "path": one, "content": text })).await?;
        same("what stands in the file", fs::read_to_string(&one).map_err(|error| error.to_string())?, text)?;
        same("read_file", &*say(client, "read_file", json!({ "path": one })).await?, text)?;
        let head = structured(client, "read_text_file", json!({ "path": one, "head": 2 })).await?;
        same("the head", head, json!({ "content": "first\nzażółć 🐳" }))?;
        let both = say(client, "read_multiple_files", json!({ "paths": [one, two] })).await?;
        contains(&both, "zażółć")?;
        contains(&both, "two.txt: Error - ")?;
        let info = say(client, "get_file_info", json!({ "path": one })).await?;
        contains(&info, &format!("size: {}", text.len()))
    })
    .await
}

async fn reads_media(world: &World) -> Outcome {
    let folder = world.folder()?;
    for name in ["a.png", "a.wav", "a.bin"] {
        write(&folder.path().join(name), [0_u8, 1, 2])?;
    }
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        let media = async |name: &str| {
            call(client, "read_media_file", json!({ "path": folder.path().join(name) })).await
        };
        let image = media("a.png").await?;
        let wanted = ContentKind::Image { data: "AAEC", mime_type: "image/png" };
        same("the picture", image.content[0].view(), wanted)?;
        let audio = media("a.wav").await?;
        let wanted = ContentKind::Audio { data: "AAEC", mime_type: "audio/wav" };
        same("the sound", audio.content[0].view(), wanted)?;
        let other = media("a.bin").await?;
        match other.content[0].view() {
            ContentKind::Resource(resource) => same("the bytes", resource.blob.as_deref(), Some("AAEC")),
            other => Err(format!("bytes are {other:?}")),
        }
    })
    .await
}

async fn lists_and_searches_folders(world: &World) -> Outcome {
    let folder = world.folder()?;
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        let inner = folder.path().join("deep/er");
        say(client, "create_directory", json!({ "path": inner })).await?;
        write(&inner.join("krill.txt"), "12345")?;
        let at = |path: &Path| json!({ "path": path });
        same("the list", &*say(client, "list_directory", at(folder.path())).await?, "[DIR] deep")?;
        let sizes = say(client, "list_directory_with_sizes", at(&inner)).await?;
        contains(&sizes, "[FILE] krill.txt")?;
        contains(&sizes, "Total: 1 files, 0 directories\nCombined size: 5 B")?;
        let tree = say(client, "directory_tree", at(folder.path())).await?;
        let tree: Value = serde_json::from_str(&tree).map_err(|error| error.to_string())?;
        let file = json!({ "name": "krill.txt", "type": "file" });
        let er = json!({ "name": "er", "type": "directory", "children": [file] });
        same("the tree", tree, json!([{ "name": "deep", "type": "directory", "children": [er] }]))?;
        let found =
            say(client, "search_files", json!({ "path": folder.path(), "pattern": "**/*.txt" })).await?;
        contains(&found, "krill.txt")
    })
    .await
}

async fn edits_and_moves_files(world: &World) -> Outcome {
    let folder = world.folder()?;
    let (one, two) = (folder.path().join("one.txt"), folder.path().join("two.txt"));
    write(&one, "a whale\n")?;
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        let edits = json!([{ "oldText": "a whale", "newText": "two whales" }]);
        let diff = say(client, "edit_file", json!({ "path": one, "edits": edits })).await?;
        contains(&diff, "-a whale\n+two whales")?;
        say(client, "move_file", json!({ "source": one, "destination": two })).await?;
        holds("the old name is free", !one.exists())?;
        same("the file", fs::read_to_string(&two).map_err(|error| error.to_string())?, "two whales\n")
    })
    .await
}

async fn stays_in_its_folder(world: &World) -> Outcome {
    let (folder, other) = (world.folder()?, world.folder()?);
    with(world.filesystem(&[folder.path()]), plain(), async |client| {
        let outside = json!({ "path": other.path().join("x"), "content": "x" });
        contains(&say_failed(client, "write_file", outside).await?, "Access denied")?;
        holds("nothing was written", !other.path().join("x").exists())
    })
    .await
}

async fn takes_its_folders_from_the_client(world: &World) -> Outcome {
    let (one, two) = (world.folder()?, world.folder()?);
    let uri = |folder: &Path| format!("file://{}", folder.display());
    let person = Person::who_accepts(json!({})).with_roots(&[("one", &uri(one.path()))]);
    with(world.filesystem(&[]), answered_by(&person, plain()), async |client| {
        allowed_is(client, one.path()).await?;
        person.now_has_roots(&[("two", &uri(two.path()))]);
        client.roots_changed();
        allowed_is(client, two.path()).await
    })
    .await
}

/// It takes new folders a moment after it was told of them, and does not say when.
async fn allowed_is(client: &codewhale_mcp_client::Client, folder: &Path) -> Outcome {
    let wanted = format!("Allowed directories:\n{}", folder.display());
    while say(client, "list_allowed_directories", json!({})).await? != wanted {}
    Ok(())
}
