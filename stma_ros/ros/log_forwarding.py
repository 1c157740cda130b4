"""What libraries and the package itself log by Python's `logging`, in the log of a node."""

from __future__ import annotations

import logging
from typing import Any


class NodeLog(logging.Handler):
    """Hands records on to the logger of a node."""

    def __init__(self, logger: Any) -> None:
        """Makes a handler. logger: of the node (rclpy.node.Node.get_logger)."""
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        # rclpy remembers the level of each place in the code that logs, so that each level has its own.
        if record.levelno >= logging.ERROR:
            self._logger.error(text)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(text)
        else:
            self._logger.info(text)


def forward_logs(logger: Any) -> None:
    """Forwards warnings of all libraries, and what this package says of itself, to the logger of a node."""
    logging.getLogger().addHandler(NodeLog(logger))
    logging.getLogger("stma_ros").setLevel(logging.INFO)
