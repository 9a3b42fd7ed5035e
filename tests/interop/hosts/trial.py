"""A world for one session: a scripted model, a home, a workspace, and a look at what is left afterwards."""

import json
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import anyio
from processes import left

# How long something may take that happens in a moment.
PATIENCE = 60.0


class Trial:
    """Everything that one scenario needs. `script` is what the model answers, one entry a request."""

    def __init__(self, cli: str, fake: str, script: list):
        self.cli, self.fake = cli, fake
        self._folder = tempfile.TemporaryDirectory(prefix="codewhale-interop-")
        root = Path(self._folder.name)
        self.workspace, home = root / "workspace", root / "home"
        self.workspace.mkdir()
        home.mkdir()
        self._model = subprocess.Popen(
            [fake, "--model", json.dumps(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        base_url = self._model.stdout.readline().strip()
        (home / "config.toml").write_text(f'[model]\nbase_url = "{base_url}"\nmodel = "scripted"\n')
        self.mark = uuid.uuid4().hex
        self.env = {"CODEWHALE_HOME": str(home), "CODEWHALE_INTEROP_HOST": self.mark}

    def server(self, mode: str, **entry) -> dict:
        """A server that is a process."""
        return {"command": self.fake, "args": mode.split(), **entry}

    def asked(self) -> list:
        """What the model was asked, a body a request. It is gone afterwards."""
        said, _ = self._model.communicate()
        return [json.loads(line) for line in said.splitlines()]

    def left(self) -> list:
        """Processes of this session that are still there after a while."""
        return left(self.mark)

    def close(self) -> None:
        self._model.stdin.close() if not self._model.stdin.closed else None
        self._model.kill()
        self._model.wait()
        self._folder.cleanup()


def expect(fine: bool, what: object) -> None:
    """Fails with what was found instead."""
    if not fine:
        raise AssertionError(f"unexpected: {what}")


def texts(request: dict, role: str) -> list:
    """What messages of a role say in a request to the model."""
    return [message["content"] for message in request["messages"] if message["role"] == role]


def offered(request: dict) -> list:
    """The names of the tools that a request offers."""
    return [tool["function"]["name"] for tool in request.get("tools", [])]


class Scenarios:
    """What a file can do: functions of a trial, each with a model that answers a script."""

    def __init__(self):
        self._known = {}

    def __call__(self, script: list):
        def register(run):
            self._known[run.__name__] = (script, run)
            return run

        return register

    def main(self) -> None:
        """Runs the scenario that the command line names: `SCENARIO CLI FAKE`. Nothing of it may be left."""
        name, cli, fake = sys.argv[1:]
        script, run = self._known[name]
        trial = Trial(cli, fake, script)

        async def bounded():
            with anyio.fail_after(PATIENCE):
                await run(trial)

        try:
            anyio.run(bounded)
            left = trial.left()
            expect(not left, f"processes are left: {left}")
        finally:
            trial.close()
