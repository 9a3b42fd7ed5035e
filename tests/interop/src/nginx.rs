//! nginx before a server, as Debian sets it up.

use crate::running::Running;
use crate::shared::Shared;
use crate::world::World;

/// The file in which each line is the address of the server that a request went to.
pub(crate) const TURNS: &str = "turns.log";

/// Whether it collects answers before it passes them on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Buffering {
    On,
    Off,
}

/// Starts one before the server at `upstream`.
pub(crate) async fn start(
    world: &World,
    shared: &Shared,
    upstream: u16,
    buffering: Buffering,
) -> Result<Running, String> {
    start_before(world, shared, &format!("http://127.0.0.1:{upstream}"), "", buffering).await
}

/// Starts one before servers that take turns; each is asked by the name that the client asks by.
pub(crate) async fn start_before_all(
    world: &World,
    shared: &Shared,
    upstreams: &[u16],
) -> Result<Running, String> {
    let servers = upstreams.iter().map(|port| format!("server 127.0.0.1:{port};\n")).collect::<String>();
    let more = format!(
        "upstream replicas {{
            {servers}
        }}
        proxy_set_header Host $http_host;
        log_format turns $upstream_addr;
        access_log {TURNS} turns;"
    );
    start_before(world, shared, "http://replicas", &more, Buffering::On).await
}

async fn start_before(
    world: &World,
    shared: &Shared,
    upstream: &str,
    more: &str,
    buffering: Buffering,
) -> Result<Running, String> {
    let port = shared.port()?;
    let folder = shared.folder_for(&format!("nginx-{port}"), &[])?;
    let buffering = match buffering {
        Buffering::On => "on",
        Buffering::Off => "off",
    };
    let place = folder.display();
    // What is not said here is as nginx has it: HTTP/1.0 to the server, and a connection for each request.
    let text = format!(
        "daemon off;
        user root;
        worker_processes 1;
        pid {place}/pid;
        error_log {place}/error.log;
        events {{ worker_connections 768; }}
        http {{
            access_log {place}/access.log;
            client_body_temp_path {place}/body;
            proxy_temp_path {place}/proxy;
            fastcgi_temp_path {place}/fastcgi;
            uwsgi_temp_path {place}/uwsgi;
            scgi_temp_path {place}/scgi;
            client_max_body_size 16m;
            {more}
            server {{
                listen 127.0.0.1:{port};
                location / {{
                    proxy_pass {upstream};
                    proxy_buffering {buffering};
                }}
            }}
        }}
        "
    );
    let configuration = folder.join("nginx.conf");
    std::fs::write(&configuration, text).map_err(|error| error.to_string())?;
    let arguments = ["-p".into(), folder.clone().into(), "-c".into(), configuration.into()];
    // Before it has read its configuration it would write where only the system's own one may.
    let errors = ["-e".into(), folder.join("error.log").into()];
    let mut launch = world.nginx(arguments.into_iter().chain(errors).collect());
    launch.cwd = Some(folder);
    Running::start(launch, port, world.guard.clone()).await
}
