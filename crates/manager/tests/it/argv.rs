//! Command lines are there for every user of the machine to read.
#![cfg(target_os = "linux")]

use serde_json::json;

use crate::world::{World, fake, run};

#[test]
fn no_command_line_of_ours_has_a_secret_in_it() {
    let world = World::new();
    let secret = format!("s3cr3t-{}", world.folder.path().file_name().unwrap().display());
    let server = fake("s", &["plain"], json!({"env": {"API_TOKEN": secret}}));
    run(async {
        let connection = world.manager.connect(&server).await.connection.expect("it is alive");
        let result =
            connection.client().call_tool("env", &json!({"name": "API_TOKEN"})).send().await.unwrap();
        assert_eq!(result.content[0].text.as_deref(), Some(&*secret), "the server has it");
        let mut seen = 0;
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            // Processes come and go meanwhile.
            let Ok(line) = std::fs::read(process.path().join("cmdline")) else { continue };
            let line = String::from_utf8_lossy(&line);
            assert!(!line.contains(&secret), "{line}");
            seen += usize::from(line.contains("codewhale-fake"));
        }
        assert!(seen > 0, "the server's own command line was looked at");
        connection.close().await;
        world.manager.shutdown().await;
    });
}
