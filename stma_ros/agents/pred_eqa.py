"""Pred-EQA: explores by predictions to answer questions, with a trail and kept snapshots, and its ablations."""

from __future__ import annotations

from dataclasses import replace

from stma_ros.agents import component_factories
from stma_ros.agents.spec import AgentSpec, Overrides, Preset, Requirements, merged, wire
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.types import vocabulary as words
from stma_ros.types.world import Senses

CAMERA = "camera"

_NO_PLAN: Overrides = {"planner": {"plan": "none"}}
_TODO: Overrides = {"planner": {"plan": "todo"}}
_NO_TRAIL: Overrides = {"temporal_memory": {"recorder": False}}
_NEWEST: Overrides = {"visual_memory": {"keeps": "newest", "frontier_manager": False}}
_COVERING: Overrides = {"visual_memory": {"keeps": "covering", "frontier_manager": False}}
_NEAREST: Overrides = {"planner": {"exploration": "nearest"}}
_BLIND: Overrides = {"planner": {"blind": True}}
_FORESIGHT: Overrides = {"planner": {"foresight": True}}
_RECORDING: Overrides = {"visual_memory": {"manager_purpose": "record"}}

_PLANNING, _MEMORY, _INTEGRATION = "Pred-EQA, table 4", "Pred-EQA, table 5", "Pred-EQA, supplement, table 3"


def _preset(summary: str, source: str, *settings: Overrides) -> Preset:
    return Preset(summary, merged(*settings), source)


PRED_EQA = AgentSpec(
    name="pred_eqa",
    summary="explores by parallel predictions to answer a question, and keeps a trail and pictures as evidence",
    source="docs/papers/pred_eqa.md",
    wirings=(
        wire(
            CAMERA,
            Requirements(Senses.CAMERA, (words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND)),
            component_factories.PERCEPTION,
            component_factories.STEPWISE_SPATIAL_MEMORY,
            component_factories.TRAIL_MEMORY,
            component_factories.VISUAL_MEMORY,
            component_factories.EXPLORATION_PLANNING,
            component_factories.EXPLORATION_EXECUTOR,
        ),
    ),
    presets={
        "pred_eqa": _preset("as published", ""),
        "reactive": _preset(
            "goes to the most promising frontier at each step, with the newest snapshots alone",
            _PLANNING,
            _NO_PLAN,
            _NO_TRAIL,
            _NEWEST,
        ),
        "pred_eqa_plan": _preset(
            "plans by predictions, with the newest snapshots alone", _PLANNING, _NO_TRAIL, _NEWEST
        ),
        "pred_eqa_memory": _preset("has a trail and kept snapshots, and no plan", _PLANNING, _NO_PLAN),
        "pred_eqa_todo": _preset("plans a list of subgoals without predictions", _PLANNING, _TODO),
        "pred_eqa_executor_star": replace(
            _preset(
                "has no plan, but is prompted to think several steps ahead", _PLANNING, _NO_PLAN, _FORESIGHT
            ),
            needs_model=(FRONTIER_CHOOSER.name,),
        ),
        "pred_eqa_manager": _preset("keeps snapshots, and no trail", _MEMORY, _NO_TRAIL),
        "pred_eqa_manager_star": _preset(
            "keeps snapshots as evidence and in the place of a trail", _MEMORY, _NO_TRAIL, _RECORDING
        ),
        "pred_eqa_no_manager": _preset("keeps a trail, and the newest snapshots", _MEMORY, _NEWEST),
        "pred_eqa_3d_mem": _preset(
            "plans by predictions, with few snapshots that show everything (3D-Mem), and no trail",
            _MEMORY,
            _NO_TRAIL,
            _COVERING,
        ),
        "reactive_3d_mem": _preset(
            "has few snapshots that show everything (3D-Mem), and neither plan nor trail",
            _INTEGRATION,
            _NO_PLAN,
            _NO_TRAIL,
            _COVERING,
        ),
        "reactive_manager_star": _preset(
            "has a trail and snapshots as evidence and record, and no plan",
            _INTEGRATION,
            _NO_PLAN,
            _RECORDING,
        ),
        "nearest_frontier": _preset(
            "goes to the nearest frontier at each step", "", _NO_PLAN, _NO_TRAIL, _NEWEST, _NEAREST
        ),
        "blind": _preset(
            "answers without a look, by what is usual (planner.answer_priors)",
            "",
            _NO_PLAN,
            _NO_TRAIL,
            _NEWEST,
            _BLIND,
        ),
    },
)
