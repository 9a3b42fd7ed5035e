"""Somebody else's client at a server of ours: one scenario, which fails by an exception.

`run.py CLIENT ERA WAY SCENARIO CODEWHALE LOCAL_TIME INTEROP [PROGRAM..]`, where CLIENT is a key of `clients.CLIENTS`, ERA is
`modern` or `legacy`, WAY is `stdio` or `http`, SCENARIO is a function of `scenarios.py`, and PROGRAM is what drives a client
that is not written in Python.
"""

import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import scenarios
from trial import PATIENCE, Programs, Trial, same


def main():
    client, era, way, scenario, codewhale, local_time, interop, *program = sys.argv[1:]
    trial = Trial(client, era, way, Programs(codewhale, local_time, interop, program))

    async def run():
        async with asyncio.timeout(PATIENCE):
            await getattr(scenarios, scenario)(trial)

    asyncio.run(run())
    same(trial.left(), [])


main()
