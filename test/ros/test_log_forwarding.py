"""What is logged by Python's `logging` shows in the log of a node."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from stma_ros.ros.log_forwarding import forward_logs


class NodeLogger:
    """Takes down what is logged, by level."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def info(self, text: str) -> None:
        self.said.append(("info", text))

    def warning(self, text: str) -> None:
        self.said.append(("warning", text))

    def error(self, text: str) -> None:
        self.said.append(("error", text))


@pytest.fixture
def logger() -> Iterator[NodeLogger]:
    root, own = logging.getLogger(), logging.getLogger("stma_ros")
    handlers, level = root.handlers[:], own.level
    node = NodeLogger()
    forward_logs(node)
    yield node
    root.handlers[:] = handlers
    own.setLevel(level)


def test_log_of_a_node_shows_what_the_package_says_of_itself(logger: NodeLogger) -> None:
    log = logging.getLogger("stma_ros.sensing")
    log.info("in %d ms a frame", 65)
    log.debug("a detail")
    log.warning("slow")
    log.error("broken")
    assert logger.said == [("info", "in 65 ms a frame"), ("warning", "slow"), ("error", "broken")]


def test_only_warnings_of_other_libraries_are(logger: NodeLogger) -> None:
    log = logging.getLogger("some_library")
    log.info("loading")
    log.warning("deprecated")
    assert logger.said == [("warning", "deprecated")]


def test_error_is_shown_with_where_it_was_raised(logger: NodeLogger) -> None:
    try:
        raise RuntimeError("no idea")
    except RuntimeError:
        logging.getLogger("stma_ros").exception("it failed")
    ((level, text),) = logger.said
    assert level == "error"
    assert text.startswith("it failed\nTraceback")
    assert text.endswith("RuntimeError: no idea")
