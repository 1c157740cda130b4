"""Tests that names of commands, options and settings of the previous version are refused with the present name."""

from __future__ import annotations

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.apps import cli
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure

RUN = ("run", "--task", "find a mug", "--runtime", "local")


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("flat", "7"), "`stma flat` is called `stma scene` now"),
        (("parity", "--flats", "1"), "`stma parity` is called `stma compare-engines` now"),
        ((*RUN, "--set", "model.kept=0"), "It is called model.cache_size now."),
        ((*RUN, "--set", "model.patience=1"), "It is called model.grace_period now."),
        ((*RUN, "--set", "model.on_failure=wait"), "It is called model.on_failure=retry now."),
        (
            (*RUN, "--set", "perception.source=fused"),
            "It is called perception.source=segmentation+model now.",
        ),
        (
            ("bench", "habitat_lab", "--world", "habitat", "--set", "kept=x"),
            "It is called habitat_lab.cache_folder now.",
        ),
    ],
)
def test_command_line_with_a_renamed_name_is_refused_with_the_new_name(
    arguments: tuple[str, ...], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == cli.EXIT_REFUSED
    assert answer in capsys.readouterr().err


def test_renamed_value_of_an_option_is_refused_with_the_new_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main(["replay", "runs/run-1", "--publish", "--only", "body"])
    assert stopped.value.code == cli.EXIT_REFUSED
    assert "argument --only: 'body' is called 'robot' now" in capsys.readouterr().err


def test_parameter_with_a_renamed_value_is_refused_with_the_new_name() -> None:
    with pytest.raises(
        ConfigurationError, match=r"It is called perception\.source=segmentation\+model now\."
    ):
        configure_agent(overrides={"perception": {"source": "fused"}})
    with pytest.raises(ConfigurationError, match=r"got 'wait'\. It is called model\.on_failure=retry now\."):
        configure(RoleModelConfig, {"on_failure": "wait"}, "model")
