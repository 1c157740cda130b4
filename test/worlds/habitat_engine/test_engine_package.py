"""The engine's package stands alone: an older Python without this project must be able to load it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import stma_ros.worlds.habitat.engine as engine

FILES = sorted(Path(engine.__file__).parent.glob("*.py"))
ALLOWED = {"numpy"}  # habitat_sim and magnum are imported only when an engine is made


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_engine_package_has_the_expected_files() -> None:
    assert {"host.py", "simulator.py", "protocol.py"} <= {file.name for file in FILES}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_engine_package_is_python_3_9_and_imports_only_itself_numpy_and_the_standard_library(
    file: Path,
) -> None:
    tree = ast.parse(file.read_text(), feature_version=(3, 9))
    for name in imported(tree):
        if name.startswith("."):
            assert not name.startswith(".."), f"{file.name} imports {name}, from outside its package"
            assert (file.parent / f"{name[1:]}.py").is_file()
        else:
            assert name.partition(".")[0] in sys.stdlib_module_names | ALLOWED, f"{file.name} imports {name}"
