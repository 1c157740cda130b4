"""Symbolic action models: the objects, predicates and action schemas of a world that is described in STRIPS.

A world that has such a model sends it with its observations, and texts are made from it: the sentences of its
observations, and the descriptions of its actions in prompts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stma_ros.types.message import Message

EQUALS: Final = "="
"""The predicate of two names for the same object; it is no predicate of a model."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TypedName(Message, ros_type="stma_ros/msg/TypedName"):
    name: str = ""
    type: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Literal(Message, ros_type="stma_ros/msg/Literal"):
    predicate: str = ""
    arguments: tuple[str, ...] = ()
    negated: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class PredicateSchema(Message, ros_type="stma_ros/msg/PredicateSchema"):
    name: str = ""
    parameters: tuple[TypedName, ...] = ()
    seen_when: tuple[Literal, ...] = ()
    sentence: str = ""
    negation: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class ActionSchema(Message, ros_type="stma_ros/msg/ActionSchema"):
    name: str = ""
    parameters: tuple[TypedName, ...] = ()
    preconditions: tuple[Literal, ...] = ()
    effects: tuple[Literal, ...] = ()
    command: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class ActionModel(Message, ros_type="stma_ros/msg/ActionModel"):
    name: str = ""
    types: tuple[TypedName, ...] = ()
    objects: tuple[TypedName, ...] = ()
    predicates: tuple[PredicateSchema, ...] = ()
    actions: tuple[ActionSchema, ...] = ()
