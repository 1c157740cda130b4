"""Settings of the general knowledge of categories and hazards, for the components that use it."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.settings import setting


@dataclass(frozen=True)
class KnowledgeConfig:
    knowledge: str = setting(
        "",
        "YAML or JSON file with further names, categories, places and rooms; empty = the domain's own alone",
    )


@dataclass(frozen=True)
class PriorConfig(KnowledgeConfig):
    priors: bool = setting(True, "expect things in their usual places and rooms; else anywhere alike")


@dataclass(frozen=True)
class QuestionConfig:
    """Settings of tasks that ask a question; planner and critic agree on them."""

    steps: int = setting(
        50, "steps of a question, after which the best guess is the answer", low=0, high=10_000
    )
    recheck_after: float = setting(
        600.0,
        "age from which portable things and states are looked at again before they answer a question",
        unit="s",
        low=0,
        high=1e9,
    )


@dataclass(frozen=True)
class HazardConfig:
    hazards: str = setting(
        "", "YAML or JSON file with further hazards that the critic refuses; empty = the domain's own alone"
    )
