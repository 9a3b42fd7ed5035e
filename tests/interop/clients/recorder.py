"""What stands before a server over HTTP and remembers what came by: method, status, and the headers that name a session."""

import http.client
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# They are between two neighbours.
HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length"}


@dataclass
class Seen:
    method: str
    status: int
    session: str | None


class recording:
    """The address of a recorder before `url`, and what it has seen."""

    def __init__(self, url: str):
        self._to, self.seen = urlsplit(url), []

    def __enter__(self):
        to, seen = self._to, self.seen

        class Handler(BaseHTTPRequestHandler):
            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
                onward = http.client.HTTPConnection(to.hostname, to.port)
                onward.request(self.command, self.path, body or None, headers)
                answer = onward.getresponse()
                session = self.headers.get("Mcp-Session-Id") or answer.headers.get("Mcp-Session-Id")
                seen.append(Seen(self.command, answer.status, session))
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    if name.lower() not in HOP:
                        self.send_header(name, value)
                self.end_headers()
                try:
                    while piece := answer.read1(1 << 16):
                        self.wfile.write(piece)
                        self.wfile.flush()
                except OSError:
                    pass
                onward.close()

            do_GET = do_POST = do_DELETE = forward

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}{to.path}"
        return self

    def __exit__(self, *_):
        self._server.shutdown()
