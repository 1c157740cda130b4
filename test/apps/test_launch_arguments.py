"""Tests of the arguments of the launch file and of the resulting plan, without the library launch."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import BRIDGE, LIFECYCLE_MANAGER, NodeSpec
from stma_ros.apps.launch_arguments import ARGUMENTS, LaunchPlan, launch_plan, refuse_unknown_arguments
from stma_ros.ros.discovery import LOCALHOST_ONLY, PROFILES, RANGE, STATIC_PEERS
from stma_ros.types.errors import ConfigurationError

EXAMPLE = Path(__file__).resolve().parents[2] / "config" / "stma.yaml"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (RANGE, LOCALHOST_ONLY, STATIC_PEERS, PROFILES, "ROS_DISTRO"):
        monkeypatch.delenv(name, raising=False)


def specs(plan: LaunchPlan) -> dict[str, NodeSpec]:
    return {spec.name: spec for spec in plan.specs}


def write(folder: Path, text: str) -> str:
    path = folder / "params.yaml"
    path.write_text(text)
    return str(path)


def test_launch_without_arguments_starts_the_nodes_of_the_bring_up() -> None:
    plan = launch_plan({})
    assert [spec.name for spec in plan.specs] == [spec.name for spec in bring_up()]
    assert {spec.log_level for spec in plan.specs} == {"info"}
    assert plan.notices == ()
    assert plan.variables == {}


def test_every_launch_argument_has_a_description_and_a_valid_default() -> None:
    for argument in ARGUMENTS:
        assert len(argument.description) > 15, argument.name
        assert not argument.choices or argument.default in argument.choices
    names = [argument.name for argument in ARGUMENTS]
    assert len(set(names)) == len(names)
    assert {"namespace", "params_file", "autostart", "log_level", "use_sim_time"} <= set(names), "as in Nav2"


def test_unknown_launch_argument_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ConfigurationError, match=r"no argument 'param_file'.*Did you mean 'params_file'"):
        refuse_unknown_arguments(["seed", "param_file"])
    refuse_unknown_arguments(["launch-prefix", "emulate_tty", "log_level"])


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("log_level", "loud", "log_level:=loud is not possible"),
        ("discovery", "subnett", "Did you mean 'subnet'"),
        ("preset", "ful", "Did you mean 'full'"),
        ("world", "hous", "Did you mean 'house'"),
        ("senses", "smell", "senses:=smell is not possible"),
        ("autostart", "perhaps", "autostart:=perhaps is not possible: it wants true or false"),
        ("seed", "one", "seed:=one is not possible: it wants a whole number"),
        ("world_options", "widht=160", "Did you mean 'width'"),
        ("params_file", "/nowhere.yaml", "/nowhere.yaml cannot be read"),
    ],
)
def test_invalid_value_of_a_launch_argument_is_refused(argument: str, value: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        launch_plan({argument: value})


def test_launch_arguments_reach_the_nodes() -> None:
    values = {
        "log_level": "debug",
        "autostart": "False",
        "use_sim_time": "false",
        "seed": "7",
        "world_options": "width=160",
        "namespace": "robot_1",
    }
    plan = launch_plan(values)
    assert {spec.log_level for spec in plan.specs} == {"debug"}
    assert {spec.parameters["use_sim_time"] for spec in plan.specs} == {False}
    assert {spec.namespace for spec in plan.specs} == {"robot_1"}
    nodes = specs(plan)
    assert nodes[LIFECYCLE_MANAGER].parameters["autostart"] is False
    assert (nodes[BRIDGE].parameters["seed"], nodes[BRIDGE].parameters["world.width"]) == (7, 160)
    assert any("ros2 service call /robot_1/lifecycle_manager/startup" in notice for notice in plan.notices)


def test_lists_in_launch_arguments_may_have_blanks_after_their_commas() -> None:
    assert launch_plan({"bridge": "my_bridge", "skills": "navigate, explore, look_around"}).specs
    bridge = specs(launch_plan({"world_options": "width=160, height=120"}))[BRIDGE].parameters
    assert (bridge["world.width"], bridge["world.height"]) == (160, 120)


def test_parameter_file_overrides_defaults_and_launch_arguments_override_it(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "sim_bridge: {ros__parameters: {seed: 7, scene: flat_3}}\n"
        "/**: {ros__parameters: {use_sim_time: false}}\n"
        "recorder: {ros__parameters: {keep: 100.0}}",
    )
    plan = launch_plan({"params_file": path})
    bridge = specs(plan)[BRIDGE].parameters
    assert (bridge["seed"], bridge["scene"], bridge["use_sim_time"]) == (7, "flat_3", False)
    assert plan.notices == (f"{path}: not started here, and so not used: recorder",)
    assert specs(launch_plan({"params_file": path, "seed": "8"}))[BRIDGE].parameters["seed"] == 8


def test_the_example_parameter_file_starts_the_nodes_of_the_launch_file() -> None:
    plan = launch_plan({"params_file": str(EXAMPLE)})
    assert [spec.name for spec in plan.specs] == [spec.name for spec in bring_up()]
    assert specs(plan)["planner"].parameters["model.planner"] == ""
    assert plan.notices == (f"{EXAMPLE}: not started here, and so not used: /**/recorder",)


def test_sections_of_a_parameter_file_follow_the_namespace_of_an_including_launch_file(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, "/site/robot_1/planner: {ros__parameters: {actions: 1}}")
    values = {"params_file": path, "namespace": "robot_1"}
    assert specs(launch_plan(values, "/site"))["planner"].parameters["actions"] == 1
    with pytest.raises(ConfigurationError, match="none of the nodes"):
        launch_plan(values)


def test_parameter_file_may_hold_a_section_for_the_bridge_of_the_robot(tmp_path: Path) -> None:
    path = write(
        tmp_path, "my_bridge: {ros__parameters: {port: 3}}\nplanner: {ros__parameters: {actions: 1}}"
    )
    plan = launch_plan({"params_file": path, "bridge": "my_bridge"})
    assert specs(plan)["planner"].parameters["actions"] == 1
    assert not plan.alone, "the robot's bridge publishes already"
    assert plan.notices == ()


@pytest.mark.parametrize("world", ["house", "habitat"])
def test_parameter_file_may_hold_the_sections_of_both_bridges(world: str, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "sim_bridge: {ros__parameters: {world.width: 160}}\n"
        "habitat_bridge: {ros__parameters: {world.gpu: 0}}",
    )
    assert launch_plan({"params_file": path, "world": world})


def test_launch_argument_opens_discovery_with_a_warning() -> None:
    plan = launch_plan({"discovery": "subnet"})
    assert plan.variables == {RANGE: "SUBNET"}
    assert plan.notices[0].startswith("warning: discovery is open")


def test_launch_preserves_the_discovery_of_the_environment_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(RANGE, "SUBNET")
    assert launch_plan({}).variables == {}
    assert launch_plan({}).notices[0].startswith(f"warning: discovery is open ({RANGE}=SUBNET)")
    assert launch_plan({"discovery": "localhost"}).notices == ()
