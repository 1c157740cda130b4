"""Errors of the conversion. Every text names the file or the node, and a remedy."""

from __future__ import annotations

from stma_ros.types.errors import StmaError


class GraphModelError(StmaError):
    """The files are not those of a graph model, are incomplete, or contradict each other."""


class UnsupportedGraphError(StmaError):
    """The model is valid, but uses an operation, or a form of one, that the conversion does not know."""
