"""The registry matches agents, worlds and domains, and refuses a mismatch with the list of what fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from stma_ros.agents import component_factories
from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.full import FULL
from stma_ros.agents.hiagent import HIAGENT
from stma_ros.agents.mcot_memory import MCOT_MEMORY
from stma_ros.agents.pred_eqa import PRED_EQA
from stma_ros.agents.registry import AGENTS, ROBOT, AgentRegistry
from stma_ros.agents.spec import AgentSpec, ComponentFactory, ComponentSpec, Preset, plain
from stma_ros.agents.stma import STMA
from stma_ros.components.decision.planner import Planner, PlannerConfig
from stma_ros.domains.registry import DOMAINS
from stma_ros.roles.random_choice import RandomChoice
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.types import topics
from stma_ros.types.component import Component
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure
from stma_ros.types.world import WorldOffer
from stma_ros.worlds.registry import WORLDS, make_world, world_entry

ROOT = Path(__file__).resolve().parents[2]
HOME, GAME = world_entry("house").offer, world_entry("textworld").offer
TASK = world_entry("pddl").offer
FITTING = [(preset, world) for world, entry in WORLDS.items() for preset in AGENTS.fitting(entry.offer)]
OTHER = replace(FULL, name="other", presets={"other": Preset("another one")})


def names(agent: AgentSpec, **presets: Preset) -> AgentSpec:
    return replace(agent, presets={**agent.presets, **presets})


class TestNames:
    def test_every_preset_belongs_to_one_agent_and_every_agent_has_a_plain_preset(self) -> None:
        all_presets = [name for agent in AGENTS.agents.values() for name in agent.presets]
        assert len(set(all_presets)) == len(all_presets)
        for agent in AGENTS.agents.values():
            assert not agent.presets[agent.name].settings
            assert all(AGENTS.agent_of(name) is agent for name in agent.presets)

    def test_a_preset_of_two_agents_is_refused(self) -> None:
        with pytest.raises(
            ConfigurationError, match="the preset 'react' belongs to two agents: 'stma', 'other'"
        ):
            AGENTS.with_agent(names(OTHER, react=Preset("like react")))

    def test_two_agents_of_one_name_are_refused(self) -> None:
        with pytest.raises(ConfigurationError, match="there are two agents 'stma'"):
            AGENTS.with_agent(STMA)

    @pytest.mark.parametrize(
        "presets",
        [{}, {"other": Preset("", {"planner": {"actions": 1}})}, {"other": Preset("", wirings=("text",))}],
        ids=["none", "one that sets something", "one for some bodies only"],
    )
    def test_an_agent_without_a_plain_preset_is_refused(self, presets: dict[str, Preset]) -> None:
        with pytest.raises(ConfigurationError, match="'other' needs a preset 'other' that sets nothing"):
            AGENTS.with_agent(replace(OTHER, presets=presets))

    def test_two_wirings_of_one_name_are_refused(self) -> None:
        with pytest.raises(ConfigurationError, match="two wirings of one name: camera, camera"):
            AGENTS.with_agent(replace(OTHER, wirings=FULL.wirings[:1] * 2))

    def test_a_preset_for_a_wiring_that_its_agent_lacks_is_refused(self) -> None:
        with pytest.raises(ConfigurationError, match=r"'deaf' is for wirings that .* does not have: sound"):
            AGENTS.with_agent(names(OTHER, deaf=Preset("", wirings=("sound",))))

    def test_a_preset_that_sets_an_unknown_component_is_refused(self) -> None:
        misspelt = Preset("", {"planer": {"actions": 1}})
        with pytest.raises(
            ConfigurationError, match=r"'quick' sets .* of 'planer'.* Did you mean 'planner'\?"
        ):
            AGENTS.with_agent(names(OTHER, quick=misspelt))

    def test_a_preset_that_sets_a_component_of_other_wirings_is_refused(self) -> None:
        misplaced = Preset("", {"perception": {"max_range": 3.0}}, wirings=("text",))
        with pytest.raises(ConfigurationError, match="'far' sets something of 'perception'"):
            AGENTS.with_agent(names(OTHER, far=misplaced))

    @pytest.mark.parametrize("topics_of", [{"inputs": ("scene_grph",)}, {"outputs": ("scene_grph",)}])
    def test_a_component_with_a_topic_that_does_not_exist_is_refused(
        self, topics_of: dict[str, tuple[str, ...]]
    ) -> None:
        [camera, *_] = FULL.wirings
        planner = replace(camera.components["planner"], **topics_of)
        wiring = replace(camera, components={**camera.components, "planner": planner})
        with pytest.raises(
            ConfigurationError,
            match=r"'planner' of the agent 'other' names the topic 'scene_grph'.* Did you mean 'scene_graph'\?",
        ):
            AGENTS.with_agent(replace(OTHER, wirings=(wiring,)))

    def test_an_added_agent_is_only_in_the_new_registry(self) -> None:
        assert AGENTS.with_agent(OTHER).match("other").agent is OTHER
        with pytest.raises(ConfigurationError, match="there is no preset 'other'"):
            AGENTS.match("other")


class TestMatching:
    @pytest.mark.parametrize(("preset", "world"), FITTING)
    def test_every_agent_can_be_built_for_every_world_that_it_fits(self, preset: str, world: str) -> None:
        needed = dict.fromkeys(AGENTS.presets[preset].needs_model, "scripted:replies.jsonl")
        models = configure(RoleModelConfig, needed, "model")
        agent = configure_agent(preset, SMALL.get(world), world_entry(world).offer, models)
        for name, spec in agent.wiring.components.items():
            component: Component = spec.build(agent.configs[name], agent.matched.domain)
            assert callable(component.handle), name

    def test_registry_lists_the_presets_that_fit_a_world(self) -> None:
        assert list(AGENTS.fitting(HOME)) == [
            *("full", "no_critic", "no_priors", "stma", "stma_no_critic"),
            *HIAGENT.presets,
            *MCOT_MEMORY.presets,
            *PRED_EQA.presets,
        ]
        others = {"no_priors", *HIAGENT.presets, *MCOT_MEMORY.presets, *PRED_EQA.presets}
        assert list(AGENTS.fitting(GAME)) == [name for name in AGENTS.presets if name not in others]
        assert list(AGENTS.fitting(TASK)) == list(HIAGENT.presets)

    def test_a_matched_agent_is_found_by_agent_wiring_and_domain(self) -> None:
        matched = AGENTS.match("reflexion", GAME)
        assert AGENTS.find("stma", "text_learning", "cooking") == matched

    def test_an_agent_in_a_world_without_a_skill_that_it_needs_is_refused(self) -> None:
        offer = replace(HOME, skills=("navigate", "wave"))
        with pytest.raises(ConfigurationError) as refusal:
            AGENTS.match("full", offer)
        assert str(refusal.value) == (
            "the agent 'full' cannot live in a world that offers a camera and the skills navigate, wave: it requires "
            "a camera and the skills navigate, explore or a text and the skills command; there are: none"
        )

    def test_agent_without_a_wiring_for_the_senses_is_refused_with_the_agents_that_have_one(self) -> None:
        seeing = AGENTS.with_agent(replace(OTHER, wirings=FULL.wirings[:1]))
        with pytest.raises(
            ConfigurationError,
            match=r"'other' cannot live in .* a text .*; there are: full, no_critic, stma,",
        ):
            seeing.match("other", GAME)

    def test_an_agent_is_matched_when_the_skills_of_the_world_are_unknown(self) -> None:
        assert AGENTS.match("full", replace(HOME, skills=None)).wiring is FULL.wirings[0]

    @pytest.mark.parametrize(
        ("find", "message"),
        [
            (lambda: AGENTS.match("reflection"), r"no preset 'reflection'\. Did you mean 'reflexion'\?"),
            (
                lambda: AGENTS.match("full", replace(HOME, domain="hosehold")),
                "no domain 'hosehold'. Did you mean",
            ),
            (lambda: AGENTS.find("ful", "camera", "household"), r"no agent 'ful'\. Did you mean 'full'\?"),
            (
                lambda: AGENTS.find("full", "sound", "household"),
                r"no wiring 'sound'\. There are: camera, text",
            ),
            (
                lambda: AGENTS.find("full", "camera", "office"),
                r"no domain 'office'\. There are: household, cook",
            ),
            (
                lambda: AGENTS.find("full", "text", "cooking").component("perception"),
                "no component 'perception'",
            ),
        ],
    )
    def test_unknown_agents_wirings_and_domains_are_refused(self, find: object, message: str) -> None:
        with pytest.raises(ConfigurationError, match=message):
            find()  # type: ignore[operator]

    def test_a_domain_without_rules_for_a_role_is_refused_with_the_domains_that_have_them(self) -> None:
        with pytest.raises(ConfigurationError) as refusal:
            AGENTS.match("reflexion", replace(GAME, domain="household"))
        assert str(refusal.value) == (
            "the domain 'household' has no rules for the reflector, which the agent 'stma' needs. Domains that have "
            "what it needs: cooking"
        )

    def test_a_domain_without_category_knowledge_is_refused_for_an_agent_with_a_camera(self) -> None:
        with pytest.raises(ConfigurationError) as refusal:
            AGENTS.match("full", replace(HOME, domain="cooking"))
        assert str(refusal.value) == (
            "the domain 'cooking' has no knowledge of kinds of things, which the agent 'full' needs. Domains that "
            "have what it needs: household"
        )

    def test_a_domain_without_any_rules_is_refused(self) -> None:
        empty = replace(DOMAINS["household"], name="empty", rules={})
        with pytest.raises(ConfigurationError, match="the domain 'empty' has no rules at all"):
            AgentRegistry([FULL], {**DOMAINS, "empty": empty}).match("full", replace(ROBOT, domain="empty"))

    def test_making_rules_that_a_domain_lacks_is_refused_with_its_name(self) -> None:
        with pytest.raises(
            ConfigurationError, match="the domain 'household' has no rules for the reflector; it has"
        ):
            DOMAINS["household"].make_rules(REFLECTOR, None)


SMALL = {"textworld": {"spatial_memory": {"embedder": "lexical"}}}


@pytest.mark.parametrize("world", ["house", "scripted"])
def test_world_entry_names_the_skills_of_its_world(world: str) -> None:
    made = make_world(world)
    try:
        assert world_entry(world).offer.skills == tuple(skill.name for skill in made.skills)
    finally:
        made.close()


@pytest.mark.parametrize("world", WORLDS)
def test_world_entry_names_an_existing_domain(world: str) -> None:
    assert world_entry(world).offer.domain in DOMAINS


@pytest.mark.parametrize("place", [component_factories.planner_of, component_factories.critic_of])
def test_a_deciding_component_joins_all_its_inputs_except_its_question(
    place: Callable[..., ComponentSpec],
) -> None:
    joined: list[tuple[str, ...]] = []

    def load(joins: tuple[str, ...]) -> ComponentFactory:
        joined.append(joins)
        return plain(PlannerConfig, lambda config: Planner.of_plans(config, RandomChoice(), joins))

    spec = place(load, joins=(*topics.BELIEFS, topics.FRONTIERS))
    assert spec.config is PlannerConfig
    assert joined[0] == spec.inputs[1:] == (*topics.BELIEFS, topics.FRONTIERS)


def test_only_worlds_and_agents_name_modalities() -> None:
    allowed = ("worlds/", "agents/", "testing/world_conformance/")
    sources = list((ROOT / "stma_ros").rglob("*.py"))
    literals = [
        str(path.relative_to(ROOT))
        for path in (*sources, *(ROOT / "launch").glob("*.py"))
        if re.search(r"\bSenses\.[A-Z]", path.read_text())
        and not str(path.relative_to(ROOT)).startswith(tuple(f"stma_ros/{folder}" for folder in allowed))
    ]
    assert not literals


def test_a_setting_by_its_former_name_is_refused_with_the_new_one() -> None:
    with pytest.raises(ConfigurationError, match=r"host has no setting 'senses'\. It is called host\.agent"):
        configure(type(configure_agent().configs["planner"]), {"senses": "camera"}, "host")


def test_world_offer_is_described_in_words() -> None:
    assert str(WorldOffer("household", HOME.senses)) == "a camera"
