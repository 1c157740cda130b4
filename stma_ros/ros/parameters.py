"""Declares settings as ROS parameters with description, type and range; unusable values are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import Setting, check, settings_of, suggest

ConfigT = TypeVar("ConfigT")

_RCLPY_PARAMETERS = ("use_sim_time", "qos_overrides.", "start_type_description_service")


def is_of_rclpy(name: str) -> bool:
    """Whether a parameter is one that rclpy gives every node."""
    return name.startswith(_RCLPY_PARAMETERS)


class Parameters:
    """The parameters of one node. They can be changed while the node is unconfigured.

    The node must have been made with `automatically_declare_parameters_from_overrides`, so that undeclared names are
    noticed. Nothing raises before `check`: a node with a wrong parameter lives, and reports it when it is configured.
    """

    def __init__(self, node: Node) -> None:
        self._node = node
        self._locked = False
        self._settings: dict[str, Setting] = {}
        self._errors: dict[str, str] = {}
        self._given = {
            name: parameter.value
            for name, parameter in node.get_parameters_by_prefix("").items()
            if not name.startswith(_RCLPY_PARAMETERS)
        }
        for name in self._given:
            node.undeclare_parameter(name)
        node.add_on_set_parameters_callback(self._validate)

    def take(self, name: str, default: Any) -> Any:
        """Returns the given value of a parameter that the node declares by itself."""
        return self._given.pop(name, default)

    def declare(self, config: type, prefix: str = "", *, fixed: bool = False) -> None:
        """Declares every setting of a config dataclass, named `prefix` + the setting's name. fixed: whether the value
        can only be given at the node's start."""
        for item in settings_of(config):
            self._declare(replace(item, name=prefix + item.name), fixed)

    def declared(self, config: type[ConfigT], prefix: str = "") -> ConfigT:
        """Returns the config, with the default in place of a refused value."""
        names = {item.name: prefix + item.name for item in settings_of(config)}
        return config(**{field: self._node.get_parameter(name).value for field, name in names.items()})

    def build(self, config: type[ConfigT], prefix: str = "") -> ConfigT:
        """Returns the config. Raises ConfigurationError for refused values."""
        names = [prefix + item.name for item in settings_of(config)]
        refused = [self._errors[name] for name in names if name in self._errors]
        if refused:
            raise ConfigurationError("; ".join(refused))
        return self.declared(config, prefix)

    def refuse(self, name: str, reason: str) -> None:
        """Refuses the value of a declared parameter for a reason that its description does not state."""
        self._errors.setdefault(name, reason)

    def check(self) -> None:
        """Raises ConfigurationError, naming every parameter whose value was refused or that is unknown."""
        unknown = [
            f"{self._node.get_name()} has no parameter {name!r}. {suggest(name, self._settings, self._node.get_name())}"
            for name in self._given
        ]
        if self._errors or unknown:
            raise ConfigurationError("; ".join([*self._errors.values(), *unknown]))

    def lock(self, locked: bool) -> None:
        """Locked parameters refuse changes."""
        self._locked = locked

    def _declare(self, item: Setting, fixed: bool) -> None:
        """Declares a parameter. item: its setting, with the parameter's full name."""
        name, value, refused = item.name, item.default, None
        if name in self._given:
            try:
                value = check(item, self._given.pop(name), self._node.get_name())
            except ConfigurationError as error:
                refused = str(error)
        self._settings[name] = item
        descriptor = _descriptor(item)
        descriptor.read_only = fixed
        self._node.declare_parameter(name, value, descriptor, ignore_override=True)
        if refused is not None:
            self._errors[name] = refused

    def _validate(self, parameters: Sequence[Parameter[Any]]) -> SetParametersResult:
        for parameter in parameters:
            item = self._settings.get(parameter.name)
            if item is None:
                continue
            if self._locked:
                reason = f"{parameter.name} is fixed while the node is configured; clean the node up first"
                return SetParametersResult(successful=False, reason=reason)
            try:
                check(item, parameter.value, self._node.get_name())
            except ConfigurationError as error:
                return SetParametersResult(successful=False, reason=str(error))
        for parameter in parameters:  # a change of several parameters is made as a whole or not at all
            self._errors.pop(parameter.name, None)
        return SetParametersResult(successful=True)


def _descriptor(item: Setting) -> ParameterDescriptor:
    """Describes a setting to ROS tools. ROS ranges have two ends; a one-sided bound is part of the text."""
    descriptor = ParameterDescriptor(name=item.name, description=item.description)
    if item.choices:
        descriptor.additional_constraints = f"one of: {', '.join(item.choices)}"
        return descriptor
    # Messages accept any value, and an integer in a float field arrives as another number.
    low, high = (None if bound is None else item.type(bound) for bound in (item.low, item.high))
    if low is None and high is None:
        return descriptor
    if low is None or high is None:
        descriptor.additional_constraints = f"at most {high}" if low is None else f"at least {low}"
    elif item.optional:  # a range would refuse NaN
        descriptor.additional_constraints = f"from {low} to {high}, or nan"
    elif item.type is int:
        descriptor.integer_range = [IntegerRange(from_value=low, to_value=high)]
    else:
        descriptor.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
    return descriptor
