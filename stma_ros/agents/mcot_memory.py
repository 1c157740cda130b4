"""MCoT-Memory: reasons at each step over the scene graph and judged experiences, and its ablations."""

from __future__ import annotations

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, Overrides, Preset, Requirements, wire
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

CAMERA = "camera"

_NO_EXPERIENCES: Overrides = {"experience_memory": {"top": 0, "learn": False}}
_WHOLE_PLAN: Overrides = {"experience_memory": {"judged": "whole"}}

_MODULES, _RETENTION = "MCoT-Memory, table 3", "MCoT-Memory, table 4"

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
            component_factories.EXPERIENCE_MEMORY,
            component_factories.THINKER,
            component_factories.UNJUDGED_EXECUTOR,
        ),
    ),
    presets={
        "mcot_memory": Preset("as published"),
        "mcot_no_experiences": Preset(
            "thinks over the scene graph alone, and learns nothing", _NO_EXPERIENCES, _MODULES
        ),
        "mcot_whole_plan": Preset("keeps tasks whose plan is judged as a whole", _WHOLE_PLAN, _RETENTION),
    },
)
