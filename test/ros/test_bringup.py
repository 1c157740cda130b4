"""The bring-up description, the agent's wiring and the launch file agree."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest
import yaml

from stma_ros.agents.bringup import FREE_MODEL_WAIT, bring_up
from stma_ros.agents.node_spec import (
    BRIDGE,
    HOST,
    LIFECYCLE_MANAGER,
    MODEL,
    RECORDER,
)
from stma_ros.agents.registry import AGENTS
from stma_ros.ros import graph
from stma_ros.ros.graph import Graph
from stma_ros.ros.host import HostConfig
from stma_ros.ros.node_settings import node_settings
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import settings_of
from stma_ros.worlds.registry import world_entry

WIRING = AGENTS.match().wiring
COMPONENTS = WIRING.components
PARAMETER_FILE = Path(__file__).resolve().parents[2] / "config" / "stma.yaml"
LAUNCH_FILE = Path(__file__).resolve().parents[2] / "launch" / "stma.launch.py"


def by_name(**options):
    return {spec.name: spec for spec in bring_up(**options)}


def names_of(config, prefix=""):
    return {prefix + item.name for item in settings_of(config)}


def test_bring_up_has_a_node_for_every_component_of_the_wiring():
    assert by_name().keys() == {*COMPONENTS, BRIDGE, LIFECYCLE_MANAGER}
    assert by_name(bag="/tmp/bag").keys() == {*COMPONENTS, BRIDGE, LIFECYCLE_MANAGER, RECORDER}


def test_bring_up_replaces_the_simulators_bridge_by_the_robots_own():
    nodes = by_name(robot_bridge="my_bridge", bag="/tmp/bag")
    assert BRIDGE not in nodes
    assert BRIDGE not in nodes[LIFECYCLE_MANAGER].parameters["node_names"]
    assert {nodes[name].parameters[f"{HOST}bridge"] for name in COMPONENTS} == {"my_bridge"}
    assert nodes[RECORDER].parameters["bridge"] == "my_bridge"


def test_nodes_of_a_robot_do_not_run_in_lock_step_unless_the_parameter_file_says_so():
    file = {"perception": {f"{HOST}lock_step": True}}
    nodes = by_name(robot_bridge="my_bridge", parameters=file)
    stepped = {name for name in COMPONENTS if nodes[name].parameters[f"{HOST}lock_step"]}
    assert stepped == {"perception"}
    assert all(by_name()[name].parameters[f"{HOST}lock_step"] for name in COMPONENTS)


def test_bring_up_refuses_an_unknown_preset():
    with pytest.raises(ConfigurationError, match="there is no preset 'ful'"):
        bring_up(preset="ful")


@pytest.mark.parametrize("bag", ["", "/tmp/bag"])
def test_lifecycle_manager_activates_readers_first_and_the_bridge_last(bag):
    managed = by_name(bag=bag)[LIFECYCLE_MANAGER].parameters["node_names"]
    assert tuple(managed) == Graph(WIRING, BRIDGE, RECORDER if bag else "").names
    assert managed[-1] == BRIDGE


@pytest.mark.parametrize("spec", bring_up(bag="/tmp/bag"), ids=lambda spec: spec.name)
def test_every_node_has_an_entry_point_that_declares_its_parameters(spec):
    assert callable(importlib.import_module(f"stma_ros.nodes.{spec.name}").main)
    assert spec.parameters.keys() <= parameters_of(spec.name)


KNOWN = node_settings(worlds={BRIDGE: world_entry("house").config})


def parameters_of(name):
    of_manager = ["node_names", "respawned_names"] if name == LIFECYCLE_MANAGER else []
    return {"use_sim_time", *KNOWN[name], *of_manager}


def test_the_example_parameter_file_names_existing_parameters():
    for node, content in yaml.safe_load(PARAMETER_FILE.read_text()).items():
        names = content["ros__parameters"].keys()
        assert names <= ({"use_sim_time"} if node == "/**" else parameters_of(node.removeprefix("/**/")))
    managed = yaml.safe_load(PARAMETER_FILE.read_text())["/**/lifecycle_manager"]["ros__parameters"][
        "node_names"
    ]
    assert managed == list(Graph(WIRING, BRIDGE, "").names)


def test_node_names_used_by_two_layers_are_equal():
    assert graph.LIFECYCLE_MANAGER == LIFECYCLE_MANAGER
    assert graph.EXECUTOR in COMPONENTS
    assert {item.name: item.default for item in settings_of(HostConfig)}["bridge"] == BRIDGE


def test_bring_up_passes_settings_to_their_nodes():
    specs = by_name(
        component_settings={"executor": {"max_rounds": 3}},
        world_settings={"width": 160},
        host_settings={"lock_step": False},
        seed=7,
        namespace="left",
    )
    assert specs["executor"].parameters["max_rounds"] == 3
    assert specs[BRIDGE].parameters["world.width"] == 160
    assert specs[BRIDGE].parameters["seed"] == 7
    assert all(specs[name].parameters["host.lock_step"] is False for name in COMPONENTS)
    assert {spec.namespace for spec in specs.values()} == {"left"}


def test_bring_up_passes_the_file_of_knowledge_to_every_component_that_knows_categories():
    settings = {"planner": {"priors": False}, "critic": {"knowledge": "/home/me/other.yaml"}}
    specs = by_name(knowledge="/home/me/more.yaml", component_settings=settings)
    given = {name: specs[name].parameters["knowledge"] for name in COMPONENTS}
    assert given == dict.fromkeys(COMPONENTS, "/home/me/more.yaml") | {"critic": "/home/me/other.yaml"}
    assert specs["planner"].parameters["priors"] is False
    assert by_name()["planner"].parameters["knowledge"] == ""


def test_folders_and_files_of_an_argument_take_precedence_over_those_of_the_parameter_file():
    file = {
        "planner": {"knowledge": "/home/me/file.yaml"},
        "temporal_memory": {"state_dir": "/home/me/file_state"},
        "spatial_memory": {"memory_dir": "/home/me/file_home"},
    }

    def chosen(**arguments):
        nodes = by_name(preset="hiagent", parameters=file, **arguments)
        return {nodes[name].parameters[setting] for name, settings in file.items() for setting in settings}

    assert chosen() == {value for settings in file.values() for value in settings.values()}
    arguments = {
        "knowledge": "/home/me/more.yaml",
        "state_dir": "/home/me/state",
        "memory_dir": "/home/me/home",
    }
    assert chosen(**arguments) == {*arguments.values()}


def test_bring_up_refuses_a_file_of_knowledge_for_an_agent_that_knows_no_categories():
    with pytest.raises(ConfigurationError, match="no component of this agent knows categories"):
        bring_up(world="textworld", offer=world_entry("textworld").offer, knowledge="/home/me/more.yaml")


def test_bring_up_passes_memory_dir_together_with_other_settings():
    settings = {"spatial_memory": {"resolution": 0.1}}
    parameters = by_name(memory_dir="/home/me/home", component_settings=settings)["spatial_memory"].parameters
    assert (parameters["memory_dir"], parameters["resolution"]) == ("/home/me/home", 0.1)
    assert by_name()["spatial_memory"].parameters["memory_dir"] == ""


def test_bring_up_passes_models_only_to_the_nodes_whose_roles_ask_them():
    asked = {"default": "openai:m@http://localhost:8000/v1", "on_failure": "retry"}
    specs = by_name(models=asked, replies="/tmp/run")
    for name, spec in COMPONENTS.items():
        parameters = specs[name].parameters
        passed = [parameters.get(f"{MODEL}{key}") for key in asked] + [parameters.get(f"{HOST}replies")]
        assert passed == ([*asked.values(), "/tmp/run"] if spec.roles else [None] * 3)
    assert by_name(bag="/tmp/bag")["planner"].parameters[f"{HOST}replies"] == "/tmp/bag"
    plan = by_name()["executor"].parameters["plan_deadline"]
    assert specs["executor"].parameters["plan_deadline"] > plan


def test_executor_waits_for_the_node_that_asks_its_model_again():
    model = "openai:m@http://localhost:8000/v1"

    def plan_deadline(planner: str, critic: str) -> float:
        given = {
            "planner": {f"{MODEL}planner": model, f"{MODEL}on_failure": planner},
            "critic": {f"{MODEL}critic": model, f"{MODEL}on_failure": critic},
        }
        return by_name(parameters=given)["executor"].parameters["plan_deadline"]

    both = plan_deadline("retry", "retry")
    assert plan_deadline("retry", "rules") == plan_deadline("fail", "retry") == both
    assert plan_deadline("fail", "rules") < both


@pytest.mark.parametrize(
    ("setting", "value"),
    [("planner", ""), ("temperature", 0.0), ("seed", 0), ("money", 0.0), ("published_sampling", False)],
)
def test_a_model_setting_of_a_parameter_file_may_be_zero_false_or_empty(setting, value):
    specs = by_name(parameters={"planner": {f"{MODEL}{setting}": value}})
    assert specs["planner"].parameters[f"{MODEL}{setting}"] == value


def test_executor_waits_for_the_node_with_the_longest_deadline():
    model = "openai:m@http://localhost:8000/v1"

    def plan_deadline(planner: float, critic: float) -> float:
        given = {
            "planner": {f"{MODEL}planner": model, f"{MODEL}deadline": planner},
            "critic": {f"{MODEL}planner": "", f"{MODEL}deadline": critic},
        }
        return by_name(parameters=given)["executor"].parameters["plan_deadline"]

    assert plan_deadline(20.0, 40.0) == plan_deadline(40.0, 20.0) > plan_deadline(20.0, 20.0)


def test_bring_up_refuses_an_invalid_model_name():
    with pytest.raises(ConfigurationError, match="'gpt' is no model"):
        bring_up(models={"planner": "gpt"})


def test_bring_up_passes_excluded_topics_to_every_node_that_waits_for_the_recorder():
    specs = by_name(bag="/tmp/bag", recorder_settings={"exclude": "camera/color", "max_file_size": "100"})
    assert specs[RECORDER].parameters["exclude"] == "camera/color"
    assert specs[RECORDER].parameters["max_file_size"] == 100.0
    assert {specs[name].parameters[f"{HOST}excluded_topics"] for name in COMPONENTS} == {"camera/color"}
    assert specs[BRIDGE].parameters["excluded_topics"] == "camera/color"
    with pytest.raises(ConfigurationError, match="camera/colour"):
        bring_up(bag="/tmp/bag", recorder_settings={"exclude": "camera/colour"})


def test_bring_up_passes_the_metadata_of_the_run_to_the_recorder():
    settings = {"executor": {"max_rounds": 3}}
    specs = by_name(bag="/tmp/bag", seed=7, component_settings=settings, about={"preset": "mine"})
    about = json.loads(specs[RECORDER].parameters["about"])
    assert (about["seed"], about["preset"], about["world"]) == ("7", "mine", "house")
    assert json.loads(about["settings"]) == settings
    assert json.loads(about["versions"])["mcap"]
    assert len(about["revision"].removesuffix("+changes")) == 40
    robot = by_name(robot_bridge="my_bridge", bag="/tmp/bag")[RECORDER].parameters["about"]
    assert "seed" not in json.loads(robot)


def test_bring_up_refuses_an_unknown_component_with_a_suggestion():
    with pytest.raises(ConfigurationError, match="Did you mean 'planner'"):
        bring_up(component_settings={"planer": {}})


def test_every_input_of_a_component_has_a_publisher():
    nodes = Graph(WIRING, BRIDGE, "")
    for name in COMPONENTS:
        for topic in set(nodes.subscriptions(name)).difference(topics.EXTERNAL):
            assert nodes.publishers(topic), f"{name} reads {topic}, which no node publishes"


def test_every_topic_that_is_not_shared_has_exactly_one_publisher():
    nodes = Graph(WIRING, BRIDGE, RECORDER)
    by_hosts = {topics.FAULT, topics.CONFIGURATION, topics.JOURNAL, topics.ALARM, topics.ALARM_EXPIRED}
    of_learners = {topics.TASK_SUMMARY, topics.LESSONS, topics.EXPERIENCES, topics.JUDGED_TASK}
    of_explorers = {topics.VISUAL_BELIEF, topics.EXPLORATION_PLAN}
    shared = {*by_hosts, topics.ROLE_CALLS, topics.MODEL_CALL}
    for topic in topics.TOPICS.keys() - shared - of_learners - of_explorers - {*topics.EXTERNAL}:
        assert len(nodes.publishers(topic)) == 1, topic
    assert nodes.subscriptions(RECORDER) == tuple(topics.TOPICS)
    assert set(WIRING.world_outputs) - {topics.OUTCOME} <= set(nodes.publications(BRIDGE))


@pytest.mark.parametrize(
    ("preset", "own"),
    [
        ("pred_eqa", (topics.VISUAL_BELIEF, topics.EXPLORATION_PLAN)),
        ("mcot_memory", (topics.EXPERIENCES, topics.JUDGED_TASK)),
    ],
)
def test_graph_of_an_agent_with_topics_of_its_own_connects_every_input(
    preset: str, own: tuple[str, ...]
) -> None:
    wiring = AGENTS.match(preset).wiring
    nodes = Graph(wiring, BRIDGE, RECORDER)
    for name in wiring.components:
        for topic in set(nodes.subscriptions(name)).difference(topics.EXTERNAL):
            assert nodes.publishers(topic), f"{name} reads {topic}, which no node publishes"
    for topic in own:
        assert len(nodes.publishers(topic)) == 1, topic


def test_the_launch_file_starts_the_nodes_of_the_description():
    pytest.importorskip("launch_ros", reason="launch is not on PyPI: run this in a ROS installation")
    spec = importlib.util.spec_from_file_location("stma_launch", LAUNCH_FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    from launch_ros.actions import Node

    from launch import LaunchContext

    context = LaunchContext()
    for entity in module.generate_launch_description().entities[:-1]:
        entity.execute(context)
    nodes = [action for action in module.start(context) if isinstance(action, Node)]
    assert [node.node_executable for node in nodes] == [spec.name for spec in bring_up()]


def test_the_habitat_world_has_a_bridge_with_its_own_name() -> None:
    specs = {spec.name: spec for spec in bring_up(world="habitat", world_settings={"gpu": 0})}
    assert BRIDGE not in specs
    assert specs["habitat_bridge"].parameters["world.gpu"] == 0
    assert specs["executor"].parameters["host.bridge"] == "habitat_bridge"
    assert "habitat_bridge" in specs["lifecycle_manager"].parameters["node_names"]


def test_a_robot_does_not_wait_long_for_a_model_that_sees_unless_it_is_told_to():
    wait = "model_wait"
    assert by_name()["perception"].parameters[wait] == -1
    assert by_name(robot_bridge="my_bridge")["perception"].parameters[wait] == FREE_MODEL_WAIT
    settings = {"perception": {wait: -1.0}}
    told = by_name(robot_bridge="my_bridge", component_settings=settings)
    assert told["perception"].parameters[wait] == -1
    in_file = by_name(robot_bridge="my_bridge", parameters={"perception": {wait: 2.0}})
    assert in_file["perception"].parameters[wait] == 2
