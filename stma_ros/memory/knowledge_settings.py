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
class HazardConfig:
    hazards: str = setting(
        "", "YAML or JSON file with further hazards that the critic refuses; empty = the domain's own alone"
    )
