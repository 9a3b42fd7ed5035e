"""Processes of a trial, known by a mark in their environment."""

import os
import time
from pathlib import Path

# How long they may take to leave.
PATIENCE = 10.0


def left(mark: str, patience: float = PATIENCE) -> list:
    """Processes with this mark that are still there after a while."""
    end = time.monotonic() + patience
    while True:
        found = [pid for pid in os.listdir("/proc") if pid.isdigit() and carries(pid, mark)]
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)


def carries(pid: str, mark: str) -> bool:
    """Whether a process is there, not yet dead, and has this mark."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return status != "Z" and mark.encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
