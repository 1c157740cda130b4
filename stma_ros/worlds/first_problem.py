"""Describes the first error of a document that pydantic refuses."""

from __future__ import annotations

from pydantic import ValidationError


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Returns the path of the first error, as keys and indices with dots (empty = the whole document), and its
    description."""
    first = error.errors()[0]
    return ".".join(map(str, first["loc"])), str(first["msg"])
