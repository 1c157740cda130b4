"""Tests of the registry of roles."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from stma_ros.roles.critic import CRITIC
from stma_ros.roles.registry import ROLES, model_config_of
from stma_ros.types.errors import ConfigurationError


def test_role_registry_names_every_role_once() -> None:
    names = [role.name for role in ROLES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        (CRITIC.name, "model.critic exists already"),
        ("default", "model.default exists already"),
        ("my judge", "cannot be the name of a setting"),
    ],
)
def test_a_role_whose_name_cannot_be_a_setting_of_its_own_is_refused(name: str, cause: str) -> None:
    with pytest.raises(ConfigurationError, match=f"the role {name!r} cannot be added: .*{cause}"):
        model_config_of((*ROLES, replace(CRITIC, name=name)))


def test_role_registry_imports_no_library_that_only_models_need() -> None:
    heavy = ("pydantic", "PIL", "yaml", "openai", "torch")
    program = f"import sys, stma_ros.roles.registry; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
