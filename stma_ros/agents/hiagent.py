"""HiAgent: working memory in chunks, one for each subgoal, and its ablations and baselines."""

from __future__ import annotations

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, Overrides, Preset, Requirements, merged, wire
from stma_ros.memory.working.subgoal_chunks import Closed
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

CAMERA, TEXT = "camera", "text"

_NO_SUMMARIES: Overrides = {"temporal_memory": {"closed": Closed.LAST_OBSERVATION.value}}
_NOTHING_CLOSED: Overrides = {"temporal_memory": {"closed": Closed.WHOLE.value}}
_NO_RETRIEVAL: Overrides = {"executor": {"retrieval": False}}
_NO_SUBGOALS: Overrides = {"planner": {"subgoals": False}}

_MAIN, _ABLATION, _DECOMPOSITION = "HiAgent, table 1", "HiAgent, table 2", "HiAgent, table 3"

HIAGENT = AgentSpec(
    name="hiagent",
    summary="divides its history by subgoals, of which closed ones shrink to one observation, and can be brought back",
    source="docs/papers/hiagent.md",
    wirings=(
        wire(
            CAMERA,
            Requirements(Senses.CAMERA, words.MOTIONS),
            component_factories.PERCEPTION,
            component_factories.SPATIAL_MEMORY,
            component_factories.SUBGOAL_MEMORY,
            component_factories.POLICY,
            component_factories.SUBGOAL_EXECUTOR,
        ),
        wire(
            TEXT,
            Requirements(Senses.TEXT, (words.SKILL_COMMAND,)),
            component_factories.TEXT_SUBGOAL_MEMORY,
            component_factories.TEXT_POLICY,
            component_factories.TEXT_SUBGOAL_EXECUTOR,
        ),
    ),
    presets={
        "hiagent": Preset("as published", source=""),
        "standard": Preset(
            "one action at a time, with all actions and observations",
            merged(_NO_SUBGOALS, _NO_RETRIEVAL),
            _MAIN,
        ),
        "hiagent_no_summaries": Preset(
            "shows closed subgoals by their last observation", _NO_SUMMARIES, _ABLATION
        ),
        "hiagent_no_retrieval": Preset("cannot bring closed subgoals back", _NO_RETRIEVAL, _ABLATION),
        "hiagent_no_summaries_no_retrieval": Preset(
            "neither of both", merged(_NO_SUMMARIES, _NO_RETRIEVAL), _ABLATION
        ),
        "task_decomposition": Preset(
            "has subgoals, and all actions and observations of all of them",
            merged(_NOTHING_CLOSED, _NO_RETRIEVAL),
            _DECOMPOSITION,
        ),
    },
)
