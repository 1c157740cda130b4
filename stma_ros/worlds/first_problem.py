"""Describes the first error of a document that pydantic refuses."""

from __future__ import annotations

from pydantic import ValidationError


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Where in the document it is (empty: nowhere in particular), as keys and indices with dots, and what it is."""
    first = error.errors()[0]
    return ".".join(map(str, first["loc"])), str(first["msg"])
