"""The clients, each with the same few methods, whose answers are what came over the wire."""

from commands import Inspector, Mcporter
from driven import Driven


def sdk(trial, to):
    from python import Sdk

    return Sdk(trial, to)


def fastmcp(trial, to):
    from python import FastMcp

    return FastMcp(trial, to)


CLIENTS = {
    "sdk": sdk,
    "fastmcp": fastmcp,
    "typescript-1": Driven,
    "typescript-2": Driven,
    "rmcp": Driven,
    "inspector": Inspector,
    "mcporter": Mcporter,
}
