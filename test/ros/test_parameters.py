"""Settings as ROS parameters: what `ros2 param describe` shows of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
import rclpy
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.parameter import Parameter
from rclpy.serialization import deserialize_message, serialize_message

from stma_ros.agents.registry import AGENTS
from stma_ros.ros.context import private_context
from stma_ros.ros.parameters import Parameters
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting, settings_of


@dataclass(frozen=True)
class Ranges:
    share: float = setting(0.5, "bounded by whole numbers", low=0, high=60)
    angle: float = setting(0.3, "bounded by fractions", low=-1.5, high=1.5)
    count: int = setting(3, "bounded", low=1, high=9)
    wait: float = setting(2.0, "bounded below", low=1)
    late: float = setting(-2.0, "bounded above", high=0)
    tries: int = setting(3, "bounded below", low=1.0)
    offset: float = setting(0.0, "not bounded")
    seed: int = setting(0, "not bounded")
    yaw: float = setting(math.nan, "bounded or not given", low=-4, high=4, optional=True)


@pytest.fixture
def described():
    """Returns the descriptors of a config's parameters, as other processes receive them, by name."""
    context = private_context()
    node = rclpy.create_node(
        "described", context=context, automatically_declare_parameters_from_overrides=True
    )

    def describe(config: type) -> dict[str, ParameterDescriptor]:
        Parameters(node).declare(config)
        names = [item.name for item in settings_of(config)]
        sent = [serialize_message(node.describe_parameter(name)) for name in names]
        received = [deserialize_message(data, ParameterDescriptor) for data in sent]
        return dict(zip(names, received, strict=True))

    yield describe
    node.destroy_node()
    context.try_shutdown()


def bounds(ranges) -> list[tuple[float, float]]:
    return [(each.from_value, each.to_value) for each in ranges]


def test_float_ranges_have_the_bounds_of_settings_that_are_whole_numbers(described):
    parameters = described(Ranges)
    assert bounds(parameters["share"].floating_point_range) == [(0.0, 60.0)]
    assert bounds(parameters["angle"].floating_point_range) == [(-1.5, 1.5)]


def test_integer_ranges_have_the_bounds_of_their_settings(described):
    assert bounds(described(Ranges)["count"].integer_range) == [(1, 9)]


def test_one_sided_bounds_are_described_as_constraints_without_ranges(described):
    parameters = described(Ranges)
    constraints = {name: parameters[name].additional_constraints for name in ("wait", "late", "tries")}
    assert constraints == {"wait": "at least 1.0", "late": "at most 0.0", "tries": "at least 1"}
    assert not any(parameters[name].floating_point_range for name in ("wait", "late"))
    assert not parameters["tries"].integer_range


def test_a_setting_that_may_be_not_given_is_declared_with_nan_and_described_without_a_range(described):
    yaw = described(Ranges)["yaw"]
    assert bounds(yaw.floating_point_range) == []
    assert yaw.additional_constraints == "from -4.0 to 4.0, or nan"


def test_unbounded_settings_have_neither_ranges_nor_constraints(described):
    parameters = described(Ranges)
    for parameter in (parameters["offset"], parameters["seed"]):
        assert not parameter.floating_point_range
        assert not parameter.integer_range
        assert not parameter.additional_constraints


def test_a_refused_value_is_remembered_when_a_change_of_several_parameters_fails():
    context = private_context()
    node = rclpy.create_node(
        "refusing",
        context=context,
        automatically_declare_parameters_from_overrides=True,
        parameter_overrides=[Parameter("wait", value=-5.0)],
    )
    parameters = Parameters(node)
    parameters.declare(Ranges)
    sound, unsound = Parameter("wait", value=3.0), Parameter("tries", value=-1)
    assert not node.set_parameters_atomically([sound, unsound]).successful
    with pytest.raises(ConfigurationError, match="wait must be from 1"):
        parameters.check()
    assert node.set_parameters_atomically([sound]).successful
    parameters.check()
    node.destroy_node()
    context.try_shutdown()


COMPONENT_CONFIGS = {
    spec.config.__qualname__: spec.config
    for agent in AGENTS.agents.values()
    for wiring in agent.wirings
    for spec in wiring.components.values()
}


@pytest.mark.parametrize("config", COMPONENT_CONFIGS.values(), ids=COMPONENT_CONFIGS)
def test_component_settings_have_defaults_of_their_type_within_their_range(described, config):
    parameters = described(config)
    for item in settings_of(config):
        assert type(item.default) is item.type, item.name
        parameter = parameters[item.name]
        for low, high in bounds([*parameter.floating_point_range, *parameter.integer_range]):
            assert (low, high) == (item.low, item.high)
            assert low <= item.default <= high, item.name
