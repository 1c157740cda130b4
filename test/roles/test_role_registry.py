"""Tests of the registry of roles."""

from __future__ import annotations

import subprocess
import sys

from stma_ros.roles.registry import ROLES


def test_role_registry_names_every_role_once() -> None:
    names = [role.name for role in ROLES]
    assert len(set(names)) == len(names)


def test_role_registry_imports_no_library_that_only_models_need() -> None:
    heavy = ("pydantic", "PIL", "yaml", "openai", "torch")
    program = f"import sys, stma_ros.roles.registry; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
