"""MCoT-Memory: reasons at each step over the scene graph and judged experiences, and its ablations."""

from __future__ import annotations

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, Overrides, Preset, Requirements, merged, wire
from stma_ros.roles.thinker import THINKER, Reasoning
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

CAMERA, TEXT = "camera", "text"

_NO_EXPERIENCES: Overrides = {"experience_memory": {"top": 0, "learn": False}}
_WHOLE_PLAN: Overrides = {"experience_memory": {"judged": "whole"}}
_FIRST_GRAPH: Overrides = {"planner": {"graph_updates": False}}
_NO_GRAPH: Overrides = {"planner": {"graph": False}}

_VARIANTS, _MODULES, _RETENTION = "MCoT-Memory, table 1", "MCoT-Memory, table 3", "MCoT-Memory, table 4"


def _prompted(summary: str, source: str, reasoning: Reasoning, *settings: Overrides) -> Preset:
    """Returns a preset that differs in what a model is asked."""
    asked: Overrides = {"planner": {"reasoning": reasoning.value}}
    return Preset(summary, merged(_NO_EXPERIENCES, asked, *settings), source, needs_model=(THINKER.name,))


MCOT_MEMORY = AgentSpec(
    name="mcot_memory",
    summary="thinks each step through over the scene graph, and learns from tasks that a judge finds well reasoned",
    source="docs/papers/mcot_memory.md",
    wirings=(
        wire(
            CAMERA,
            Requirements(Senses.CAMERA, words.MOTIONS),
            component_factories.PERCEPTION,
            component_factories.SPATIAL_MEMORY,
            component_factories.TEMPORAL_MEMORY,
            component_factories.LATEST_VIEW,
            component_factories.EXPERIENCE_MEMORY,
            component_factories.THINKER,
            component_factories.UNJUDGED_EXECUTOR,
        ),
        wire(
            TEXT,
            Requirements(Senses.TEXT, (words.SKILL_COMMAND,)),
            component_factories.WHOLE_KNOWLEDGE_MEMORY,
            component_factories.TEXT_TEMPORAL_MEMORY,
            component_factories.EXPERIENCE_MEMORY,
            component_factories.TEXT_THINKER,
            component_factories.TEXT_UNJUDGED_EXECUTOR,
        ),
    ),
    presets={
        "mcot_memory": Preset("as published"),
        "mcot_no_experiences": Preset(
            "thinks over the scene graph alone, and learns nothing", _NO_EXPERIENCES, _MODULES
        ),
        "mcot_graph": _prompted(
            "acts by the scene graph without reasoning, and learns nothing", _MODULES, Reasoning.DIRECT
        ),
        "mcot_plain": _prompted(
            "acts by the picture alone, and learns nothing", _MODULES, Reasoning.DIRECT, _NO_GRAPH
        ),
        "mcot_cot": _prompted(
            "reasons step by step over the picture (CoT)", _VARIANTS, Reasoning.STEPS, _NO_GRAPH
        ),
        "mcot_ccot": _prompted(
            "reasons over a description of the picture (CCoT)", _VARIANTS, Reasoning.COMPOSITION, _NO_GRAPH
        ),
        "mcot_ddcot": _prompted(
            "reasons by questions about the picture (DDCoT)", _VARIANTS, Reasoning.DUTIES, _NO_GRAPH
        ),
        "mcot_first_graph": Preset("knows the scene graph of the task's first step alone", _FIRST_GRAPH),
        "mcot_whole_plan": Preset("keeps tasks whose plan is judged as a whole", _WHOLE_PLAN, _RETENTION),
    },
)
