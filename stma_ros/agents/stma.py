"""STMA: closed-loop planning with a temporal and a spatial belief, and its ablations and baselines."""

from __future__ import annotations

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, Overrides, Preset, Requirements, merged, wire
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

CAMERA, TEXT, TEXT_LEARNING = "camera", "text", "text_learning"

WIRINGS = (
    wire(
        CAMERA,
        Requirements(Senses.CAMERA, words.MOTIONS),
        component_factories.PERCEPTION,
        component_factories.SPATIAL_MEMORY,
        component_factories.TEMPORAL_MEMORY,
        component_factories.PLANNER,
        component_factories.CRITIC,
        component_factories.EXECUTOR,
    ),
    wire(
        TEXT,
        Requirements(Senses.TEXT, (words.SKILL_COMMAND,)),
        component_factories.KNOWLEDGE_MEMORY,
        component_factories.TEXT_TEMPORAL_MEMORY,
        component_factories.TEXT_PLANNER,
        component_factories.TEXT_CRITIC,
        component_factories.TEXT_EXECUTOR,
    ),
)

_LEARNING = wire(
    TEXT_LEARNING,
    Requirements(Senses.TEXT, (words.SKILL_COMMAND,)),
    component_factories.KNOWLEDGE_MEMORY,
    component_factories.LEARNING_TEMPORAL_MEMORY,
    component_factories.LESSON_MEMORY,
    component_factories.TEXT_PLANNER,
    component_factories.TEXT_CRITIC,
    component_factories.TEXT_EXECUTOR,
)

_NO_SPATIAL_MEMORY: Overrides = {"spatial_memory": {"enabled": False}}
_NO_CRITIC: Overrides = {"critic": {"enabled": False}}
_RAW: Overrides = {"temporal_memory": {"summariser": "none"}}
_NOTHING_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "none", "history": 0}}
_ALL_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "none", "history": 10_000}}
_PLAN_REMEMBERED: Overrides = {"temporal_memory": {"summariser": "plan"}}
_STEP_BY_STEP: Overrides = {"planner": {"actions": 1}}

_BASELINE, _ABLATION = "STMA, table 1", "STMA, table 2"


def _text(summary: str, source: str, *settings: Overrides) -> Preset:
    """Returns a preset for text worlds only, whose components do not exist elsewhere."""
    return Preset(summary, merged(*settings), source, (TEXT,))


STMA = AgentSpec(
    name="stma",
    summary="plans with a summarised history and a knowledge graph of the world, and judges each action before it",
    source="docs/papers/stma.md",
    wirings=(*WIRINGS, _LEARNING),
    presets={
        "stma": Preset("as published"),
        "stma_no_memory": _text(
            "remembers neither history nor world", _ABLATION, _NOTHING_REMEMBERED, _NO_SPATIAL_MEMORY
        ),
        "stma_no_summariser": _text("reads the history buffer as it is", _ABLATION, _RAW),
        "stma_no_spatial_summariser": _text(
            "takes relations from the history instead of the summary",
            _ABLATION,
            {"spatial_memory": {"source": "history"}},
        ),
        "stma_no_spatial_memory": _text("has no spatial belief", _ABLATION, _NO_SPATIAL_MEMORY),
        "stma_no_aggregator": _text(
            "reads the retrieved relations as they are", _ABLATION, {"spatial_memory": {"aggregator": False}}
        ),
        "stma_no_critic": Preset("does every planned action unjudged", _NO_CRITIC, _ABLATION),
        "react": _text(
            "one action at a time, with the whole history",
            _BASELINE,
            _ALL_REMEMBERED,
            _NO_SPATIAL_MEMORY,
            _NO_CRITIC,
            _STEP_BY_STEP,
        ),
        # Three lessons are stored (Shinn 2023, section 3).
        "reflexion": Preset(
            "react that tries again, knowing what it learnt from its failures",
            merged(
                _ALL_REMEMBERED,
                _NO_SPATIAL_MEMORY,
                _NO_CRITIC,
                _STEP_BY_STEP,
                {"experience_memory": {"lessons": 3}},
            ),
            _BASELINE,
            (TEXT_LEARNING,),
            trials=3,
        ),
        "adaplanner": _text(
            "remembers what came of the plan under way",
            _BASELINE,
            _PLAN_REMEMBERED,
            _NO_SPATIAL_MEMORY,
            _NO_CRITIC,
        ),
        "random": _text(
            "any action that is allowed: what is reached by no policy at all",
            "",
            _NOTHING_REMEMBERED,
            _NO_SPATIAL_MEMORY,
            _NO_CRITIC,
            {"planner": {"policy": "random"}},
        ),
        "nearest_exit": _text(
            "without common sense about what lies behind an exit", "", {"planner": {"exploration": "nearest"}}
        ),
    },
)
