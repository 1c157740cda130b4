"""Presets and overrides: known settings are applied, unknown ones are refused with a suggestion."""

from __future__ import annotations

import pytest

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.registry import AGENTS
from stma_ros.agents.spec import Wiring
from stma_ros.models.settings import ModelConfig
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure
from stma_ros.types.world import WorldOffer
from stma_ros.worlds.registry import WORLDS, world_entry

OFFERS = {entry.offer.senses: entry.offer for entry in WORLDS.values()}.values()
GAME, HOUSE = world_entry("textworld").offer, world_entry("house").offer
MODEL = "openai:m@http://localhost:8000/v1"
WIRINGS = [
    pytest.param(wiring, id=f"{agent.name}-{wiring.name}")
    for agent in AGENTS.agents.values()
    for wiring in agent.wirings
]


@pytest.mark.parametrize(
    ("preset", "offer"), [(name, offer) for offer in OFFERS for name in AGENTS.fitting(offer)]
)
def test_every_preset_configures_every_component(preset: str, offer: WorldOffer) -> None:
    models = configure(RoleModelConfig, dict.fromkeys(AGENTS.presets[preset].needs_model, MODEL), "model")
    agent = configure_agent(preset, offer=offer, models=models)
    assert agent.configs.keys() == agent.wiring.components.keys()


@pytest.mark.parametrize(
    "models", [None, RoleModelConfig(), configure(RoleModelConfig, {"answerer": MODEL}, "model")]
)
def test_a_preset_that_differs_in_a_prompt_alone_is_refused_without_a_model(
    models: ModelConfig | None,
) -> None:
    with pytest.raises(ConfigurationError, match=r"for the frontier_chooser, --set model\.frontier_chooser="):
        configure_agent("pred_eqa_executor_star", offer=HOUSE, models=models)


def test_a_preset_for_other_worlds_is_refused() -> None:
    with pytest.raises(
        ConfigurationError,
        match="'react' is not for worlds that offer a camera; there are: full, no_critic, no_priors, stma",
    ):
        configure_agent("react")


def test_overrides_take_precedence_over_presets() -> None:
    agent = configure_agent("full", {"spatial_memory": {"resolution": "0.1"}})
    assert agent.configs["spatial_memory"].resolution == 0.1


@pytest.mark.parametrize(
    ("preset", "overrides", "message"),
    [
        ("ful", {}, r"there is no preset 'ful'\. Did you mean 'full'\?"),
        ("full", {"planer": {}}, r"there is no component 'planer'\. Did you mean 'planner'\?"),
        ("full", {"executor": {"max_round": 3}}, "executor has no setting 'max_round'"),
        ("full", {"executor": {"max_rounds": 0}}, "must be from 1 to 100"),
    ],
)
def test_unknown_presets_and_settings_are_refused_with_a_suggestion(
    preset: str, overrides: dict[str, dict[str, object]], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        configure_agent(preset, overrides)


@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_wiring_names_only_existing_topics_and_every_input_has_a_source(wiring: Wiring) -> None:
    from_hosts = {
        topics.TASK,
        topics.CANCEL,
        topics.FAULT,
        topics.ALARM_EXPIRED,
        topics.OBJECT_QUERY,
        topics.MEMORY_QUESTION,
        topics.MEMORY_REQUEST,
    }
    components = wiring.components.values()
    sources = from_hosts.union(
        topics.EXTERNAL, wiring.world_outputs, *((*spec.outputs, *spec.answers) for spec in components)
    )
    for spec in wiring.components.values():
        assert set(spec.inputs) | set(spec.outputs) <= topics.TOPICS.keys(), spec.name
        assert set(spec.subscriptions) <= sources, spec.name
        assert set(spec.frame) <= set(topics.FRAME), spec.name
        assert not set(spec.frame) & set(spec.inputs), spec.name


def test_a_preset_combines_its_parts() -> None:
    configs = configure_agent("reflexion", offer=GAME).configs

    memory = configs["temporal_memory"]
    assert (memory.summariser, memory.history) == ("none", 10_000)
    assert configs["experience_memory"].lessons == 3


def test_only_reflexion_has_an_experience_memory() -> None:
    having = [
        name
        for name in AGENTS.fitting(GAME)
        if "experience_memory" in configure_agent(name, offer=GAME).wiring.components
    ]
    assert having == ["reflexion"]


def test_former_setting_of_lessons_is_refused_with_its_present_name() -> None:
    with pytest.raises(
        ConfigurationError, match=r"It is called experience_memory\.lessons, which .* reflexion"
    ):
        configure_agent("reflexion", {"temporal_memory": {"reflections": 3}}, offer=GAME)


def test_only_reflexion_has_further_trials() -> None:
    tried = {name: preset.trials for name, preset in AGENTS.presets.items() if preset.trials > 1}
    assert tried == {"reflexion": 3}
