"""Errors of the engine and of the connection to it: codes for programs, texts for people."""

from __future__ import annotations


class Code:
    """The kind of an EngineError."""

    NO_ENGINE = "no_engine"  # habitat_sim cannot be imported
    UNKNOWN_VERSION = "unknown_version"  # an untested version of habitat_sim
    NO_GPU = "no_gpu"
    MISSING_ASSET = "missing_asset"  # a file of the scene or of its data set is missing or unreadable
    NO_NAVMESH = "no_navmesh"  # there is no floor to stand on, or no navmesh has been made yet
    NO_SEMANTICS = "no_semantics"  # nothing in the scene has a name
    OUT_OF_MEMORY = "out_of_memory"
    FAILED = "failed"  # any other failure, including requests that cannot be carried out
    DIED = "died"  # the engine's process has ended
    TOO_SLOW = "too_slow"  # it did not answer in time


class EngineError(Exception):
    """The engine cannot carry out a request; the text names the cause and the remedy. `code`: one of Code."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class ProtocolError(Exception):
    """A message between the two processes cannot be sent or received."""


class ClosedError(ProtocolError):
    """The other side has closed the connection."""


class DamagedFrameError(ProtocolError):
    """The received bytes are no frame of this protocol, or a damaged one."""


class DeadlineError(ProtocolError):
    """The other side did not answer in time."""
