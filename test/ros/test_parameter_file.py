"""ROS 2 parameter files for the whole graph: the nodes they apply to, and the mistakes they are refused for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import BRIDGE, LIFECYCLE_MANAGER
from stma_ros.ros.node_settings import node_settings
from stma_ros.ros.parameter_file import (
    Section,
    parameters_by_node,
    read_parameter_file,
    unused_sections,
)
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.registry import world_entry

EXAMPLE = Path(__file__).resolve().parents[2] / "config" / "stma.yaml"
KNOWN = node_settings(worlds={BRIDGE: world_entry("house").config})
SPECS = bring_up()


def read(text: str, folder: Path) -> tuple[Section, ...]:
    path = folder / "params.yaml"
    path.write_text(text)
    return read_parameter_file(path)


def given(*sections: tuple[str, dict[str, Any]], namespace: str = "", others: tuple[str, ...] = ()) -> Any:
    return parameters_by_node(
        [Section(node, parameters) for node, parameters in sections],
        SPECS,
        KNOWN,
        namespace=namespace,
        others=others,
        source="params.yaml",
    )


@pytest.mark.parametrize(
    ("node", "namespace", "applies"),
    [
        ("planner", "", True),
        ("/planner", "", True),
        ("planner", "robot_1", True),
        ("/planner", "robot_1", False),
        ("/robot_1/planner", "robot_1", True),
        ("/robot_2/planner", "robot_1", False),
        ("/*/planner", "robot_1", True),
        ("/*/planner", "", False),
        ("/**/planner", "", True),
        ("/**/planner", "/site/robot_1", True),
        ("/**", "robot_1", True),
        ("/robot_1/**", "robot_1", True),
        ("/robot_2/**", "robot_1", False),
        ("critic", "", False),
    ],
)
def test_a_section_applies_to_the_nodes_that_its_name_matches(
    node: str, namespace: str, applies: bool
) -> None:
    assert Section(node, {}).matches("planner", f"/{namespace.strip('/')}") == applies


def test_nested_node_and_parameter_names_are_joined(tmp_path: Path) -> None:
    text = "robot_1: {planner: {ros__parameters: {model: {deadline: 5.0}, actions: 1}}}"
    (section,) = read(text, tmp_path)
    assert section == Section("robot_1/planner", {"model.deadline": 5.0, "actions": 1})


def test_the_example_parameter_file_applies_to_the_started_nodes() -> None:
    sections = read_parameter_file(EXAMPLE)
    found = parameters_by_node(sections, SPECS, KNOWN)
    assert found["executor"]["step_deadline"] == 120.0
    assert found[BRIDGE]["world.width"] == 320
    assert unused_sections(sections, SPECS) == ("/**/recorder",)


def test_the_parameter_file_of_the_howto_page_is_accepted(tmp_path: Path) -> None:
    page = (EXAMPLE.parents[1] / "docs" / "howto" / "robot.md").read_text()
    (text,) = (
        block for block in page.split("```") if "ros__parameters" in block and block.startswith("yaml")
    )
    found = parameters_by_node(read(text.removeprefix("yaml"), tmp_path), SPECS, KNOWN)
    assert found["perception"] == {"use_sim_time": False, "keyframe_rate": 2.0}
    assert found["planner"]["model.deadline"] == 20.0


def test_a_section_of_one_node_takes_precedence_over_a_wildcard() -> None:
    found = given(("planner", {"model.deadline": 5.0}), ("/**", {"model.deadline": 9.0}))
    assert (found["planner"]["model.deadline"], found["critic"]["model.deadline"]) == (5.0, 9.0)


def test_a_parameter_for_all_nodes_reaches_those_that_have_it() -> None:
    found = given(("/**", {"use_sim_time": False, "resolution": 0.1}))
    assert {values["use_sim_time"] for values in found.values()} == {False}
    assert [name for name, values in found.items() if "resolution" in values] == ["spatial_memory"]


def test_sections_of_externally_started_nodes_are_ignored() -> None:
    assert given(("my_bridge", {"port": "/dev/ttyUSB0"}), ("planner", {"actions": 1}), others=("my_bridge",))
    with pytest.raises(ConfigurationError, match="no node 'my_bridge'"):
        given(("my_bridge", {"port": "/dev/ttyUSB0"}))


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (("planer", {"actions": 1}), r"params\.yaml: there is no node 'planer' .*Did you mean 'planner'"),
        (("planner", {"action": 1}), r"the node planner has no parameter 'action' .*Did you mean 'actions'"),
        (
            ("/**", {"resolutoin": 0.1}),
            r"no node of this package has a parameter 'resolutoin' .*Did you mean 'resolution'",
        ),
        (("planner", {"actions": "many"}), r"params\.yaml: planner\.actions .*wants int, got 'many'"),
        (("planner", {"actions": -1}), r"params\.yaml: planner\.actions must be from"),
        (("/**", {"use_sim_time": "sometimes"}), "use_sim_time wants true or false, got 'sometimes'"),
        (
            ("planner", {"host.bridge": "my_bridge"}),
            "has to be 'sim_bridge' here. The launch argument bridge:= says it for all nodes",
        ),
        ((LIFECYCLE_MANAGER, {"node_names": ["planner"]}), "launch argument preset:= says it for all nodes"),
        (
            ("/robot_9/planner", {"actions": 1}),
            "is for none of the nodes that are started: .*/robot_9/planner",
        ),
    ],
)
def test_a_mistake_in_a_parameter_file_is_refused_with_its_place_and_the_remedy(
    section: tuple[str, dict[str, Any]], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        given(section)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no node"),
        ("planner: [1, 2", "is no YAML"),
        ("- planner", "names no node"),
        ("planner: {actions: 1}", r"planner/actions is not in a ros__parameters"),
        ("planner: {ros__parameters: 3}", "without parameters"),
        ("ros__parameters: {actions: 1}", "is not in a ros__parameters"),
    ],
)
def test_a_parameter_file_with_another_layout_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read(text, tmp_path)


def test_a_missing_parameter_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml cannot be read: No such file"):
        read_parameter_file(tmp_path / "nowhere.yaml")


def test_every_parameter_that_bring_up_sets_is_declared_by_its_node() -> None:
    for spec in bring_up(bag="/tmp/bag", visualize=True):
        assert spec.parameters.keys() <= {
            *KNOWN[spec.name],
            "use_sim_time",
            "node_names",
            "respawned_names",
        }
        assert spec.decided_by.keys() <= spec.parameters.keys()


def test_parameters_of_a_file_reach_their_nodes_and_arguments_take_precedence(tmp_path: Path) -> None:
    file = {
        "/**": {"model.on_failure": "fail", "model.deadline": 7.0},
        "planner": {"actions": 1, "model.planner": "openai:m@http://localhost:8000/v1"},
        BRIDGE: {"seed": 7, "world.width": 160},
        LIFECYCLE_MANAGER: {"deadline": 90.0, "autostart": False},
    }
    found = given(*file.items())
    specs = {spec.name: spec.parameters for spec in bring_up(parameters=found)}
    assert specs["planner"]["actions"] == 1
    assert specs["planner"]["model.planner"] == "openai:m@http://localhost:8000/v1"
    assert specs["critic"]["model.planner"] == ""
    assert (specs[BRIDGE]["seed"], specs[BRIDGE]["world.width"]) == (7, 160)
    assert (specs[LIFECYCLE_MANAGER]["deadline"], specs[LIFECYCLE_MANAGER]["autostart"]) == (90.0, False)
    plain = {spec.name: spec.parameters for spec in SPECS}
    assert specs["executor"]["plan_deadline"] > plain["executor"]["plan_deadline"], "it waits for the model"
    outweighed = {
        spec.name: spec.parameters
        for spec in bring_up(
            parameters=found,
            seed=8,
            component_settings={"planner": {"actions": 2}},
            models={"deadline": 3.0},
            autostart=True,
        )
    }
    assert outweighed["planner"]["actions"] == 2
    assert outweighed["planner"]["model.deadline"] == 3.0
    assert outweighed["planner"]["model.on_failure"] == "fail"
    assert outweighed[BRIDGE]["seed"] == 8
    assert outweighed[LIFECYCLE_MANAGER]["autostart"] is True


def test_a_written_parameter_file_is_read_back_unchanged(tmp_path: Path) -> None:
    content = {"/**/planner": {"ros__parameters": {"actions": 1}}}
    assert read(yaml.safe_dump(content), tmp_path) == (Section("/**/planner", {"actions": 1}),)
