"""The registry of suites and measurements; each is imported when it is requested."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stma_ros.evaluation.measurement import Measurement
from stma_ros.evaluation.suite import Suite
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure, settings_of, suggest

SUITES = (
    "rearrangement",
    "activities",
    "eqa",
    "eqa_again",
    "perception",
    "frame_rate",
    "cooking",
    "pddl",
    "programs",
    "adventure",
    "prompts",
    "habitat_lab",
)


def make_suite(name: str, settings: Mapping[str, Any]) -> Suite:
    """Makes a suite with its settings, whose values may be text.

    Raises:
        ConfigurationError: an unknown suite or setting, or a bad value.
    """
    kind, make = _suite(name)
    return make(configure(kind, settings, name))


def suite_settings(name: str) -> tuple[str, ...]:
    """Returns the names of a suite's own settings. Raises ConfigurationError for an unknown suite."""
    return tuple(item.name for item in settings_of(_suite(name)[0]))


def _suite(name: str) -> tuple[type, Callable[[Any], Suite]]:
    """Returns the class of a suite's settings, and the suite's factory."""
    if name == "rearrangement":
        from stma_ros.evaluation.rearrangement import Rearrangement, RearrangementSettings

        return RearrangementSettings, Rearrangement
    if name == "activities":
        from stma_ros.evaluation.activities.suite import Activities, ActivitiesSettings

        return ActivitiesSettings, Activities
    if name == "eqa":
        from stma_ros.evaluation.eqa.suite import Eqa, EqaSettings

        return EqaSettings, Eqa
    if name == "eqa_again":
        from stma_ros.evaluation.eqa.again import EqaAgain, EqaAgainSettings

        return EqaAgainSettings, EqaAgain
    if name == "perception":
        from stma_ros.evaluation.perception import Perception, PerceptionSettings

        return PerceptionSettings, Perception
    if name == "frame_rate":
        from stma_ros.evaluation.frame_rate import FrameRate, FrameRateSettings

        return FrameRateSettings, FrameRate
    if name == "cooking":
        from stma_ros.evaluation.cooking.suite import Cooking, CookingSettings

        return CookingSettings, Cooking
    if name == "pddl":
        from stma_ros.evaluation.pddl.suite import Pddl, PddlSettings

        return PddlSettings, Pddl
    if name == "programs":
        from stma_ros.evaluation.programs.suite import Programs, ProgramsSettings

        return ProgramsSettings, Programs
    if name == "adventure":
        from stma_ros.evaluation.adventure.suite import Adventure, AdventureSettings

        return AdventureSettings, Adventure
    if name == "prompts":
        from stma_ros.evaluation.prompts import Prompts, PromptsSettings

        return PromptsSettings, Prompts
    if name == "habitat_lab":
        from stma_ros.evaluation.habitat_lab.settings import HabitatLabSettings
        from stma_ros.evaluation.habitat_lab.suite import HabitatLab

        return HabitatLabSettings, HabitatLab
    raise ConfigurationError(f"there is no suite {name!r}. {suggest(name, (*SUITES, *MEASUREMENTS))}")


def _retrieval(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.retrieval import RetrievalSettings, RetrievalSpeed

    return RetrievalSpeed(configure(RetrievalSettings, settings, "retrieval"))


def _experience_store(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.experience_store import ExperienceStoreSettings, ExperienceStoreSpeed

    return ExperienceStoreSpeed(configure(ExperienceStoreSettings, settings, "experience_store"))


def _mapping(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.mapping import MappingSettings, MappingSpeed

    return MappingSpeed(configure(MappingSettings, settings, "mapping"))


def _frontiers(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.frontier_speed import FrontierSettings, FrontierSpeed

    return FrontierSpeed(configure(FrontierSettings, settings, "frontiers"))


def _prompt_caches(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.prompt_caches.measurement import PromptCaches, PromptCachesSettings

    return PromptCaches(configure(PromptCachesSettings, settings, "prompt_caches"))


def _pointnav(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.habitat_lab.pointnav import PointNav, PointNavSettings

    return PointNav(configure(PointNavSettings, settings, "pointnav"))


def _judging(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.judging.measurement import Judging, JudgingSettings

    return Judging(configure(JudgingSettings, settings, "judging"))


def _program_replay(settings: Mapping[str, Any]) -> Measurement:
    from stma_ros.evaluation.programs.replay import ProgramReplay, ProgramReplaySettings

    return ProgramReplay(configure(ProgramReplaySettings, settings, "program_replay"))


MEASUREMENTS: Mapping[str, Callable[[Mapping[str, Any]], Measurement]] = {
    "retrieval": _retrieval,
    "experience_store": _experience_store,
    "mapping": _mapping,
    "frontiers": _frontiers,
    "prompt_caches": _prompt_caches,
    "judging": _judging,
    "program_replay": _program_replay,
    "pointnav": _pointnav,
}
"""Factories of measurements from their settings, whose values may be text; they raise ConfigurationError as
make_suite."""
