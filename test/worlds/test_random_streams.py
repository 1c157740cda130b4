"""The numbers of the worlds' random streams: draws of different kinds with one seed must not be the same."""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

import stma_ros

PACKAGE = Path(stma_ros.__file__).parent
SEEDED = re.compile(r"default_rng\(\([^()]*\b(_[A-Z]+)\b[^()]*\)\)")
"""A generator that is made of a seed and a constant of the module, which is the number of its stream."""


def test_each_number_of_a_random_stream_belongs_to_one_kind_of_draws() -> None:
    kinds: defaultdict[int, set[str]] = defaultdict(set)
    for path in sorted((PACKAGE / "worlds").rglob("*.py")):
        constants = SEEDED.findall(path.read_text(encoding="utf-8"))
        if constants:
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            module = importlib.import_module(name)
            for constant in constants:
                kinds[getattr(module, constant)].add(f"{name}.{constant}")
    assert len(kinds) > 15
    assert [names for names in kinds.values() if len(names) > 1] == []
