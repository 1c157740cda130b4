"""Which of rules and models answers a role, and how much longer the waits are when models answer."""

from __future__ import annotations

from typing import Any

import pytest

from stma_ros.agents.configured_agent import check_models, configure_agent, model_waits
from stma_ros.agents.prompted_roles import answering
from stma_ros.agents.registry import AGENTS
from stma_ros.agents.spec import Wiring
from stma_ros.components.model_call_reporter import ModelCallReporter
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.models.chat import ChatModel, ChatRequest
from stma_ros.models.errors import UnreachableError
from stma_ros.models.limited_model import Budget
from stma_ros.models.model_pool import ModelPool
from stma_ros.models.scripted import ScriptedModel
from stma_ros.models.settings import FAIL, RETRY, RULES
from stma_ros.roles.category_filter import CATEGORY_FILTER
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.judge import JUDGE
from stma_ros.roles.planner import PLANNER, PlanQuery
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.reflector import REFLECTOR
from stma_ros.roles.registry import ROLE_NAMES, ROLES, RoleModelConfig
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.roles.scene_graph import SCENE_GRAPH
from stma_ros.roles.summariser import SUMMARISER
from stma_ros.roles.task_parser import TASK_PARSER
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ConfigurationError, ErrorCode, RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Plan, PlanRequest
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.types.vocabulary import SKILL_COMMAND
from stma_ros.types.world import WorldOffer
from stma_ros.worlds.registry import world_entry

COOKING, HOUSEHOLD = "stma_ros.domains.cooking", "stma_ros.domains.household"

TASK = "You are hungry! Let's cook a delicious meal. Check the cookbook in the kitchen for the recipe."
EAST = Action(SKILL_COMMAND, ("go east",))
RULES_OF_GAMES = TextPlanner()

HOME, GAME, PLANNING = (world_entry(name).offer for name in ("house", "textworld", "pddl"))
OFFERS = pytest.mark.parametrize("offer", [HOME, GAME], ids=lambda offer: offer.senses.value)


def wiring(offer: WorldOffer) -> Wiring:
    return AGENTS.match(offer=offer).wiring


def models_of(**settings: Any) -> ModelPool:
    return ModelPool(RoleModelConfig(**settings), lambda *_: ScriptedModel([]))


class TestAnswering:
    def test_rules_answer_a_role_that_has_no_model(self) -> None:
        for models in (None, models_of(), models_of(default="scripted:a", planner=RULES)):
            assert answering(models, PLANNER, COOKING, RULES_OF_GAMES) is RULES_OF_GAMES

    @pytest.mark.parametrize(("on_failure", "falls_back"), [(RULES, True), (RETRY, False), (FAIL, False)])
    @pytest.mark.parametrize("setting", ["default", PLANNER.name])
    def test_a_named_model_answers_and_rules_replace_it_only_when_asked_for(
        self, setting: str, on_failure: str, falls_back: bool
    ) -> None:
        models = models_of(on_failure=on_failure, **{setting: "scripted:a"})
        role = answering(models, PLANNER, COOKING, RULES_OF_GAMES)
        question = PlanQuery(
            TASK, TemporalBelief(), SpatialBelief(), (EAST,), observation="You are in a hall."
        )
        if falls_back:
            assert role is not RULES_OF_GAMES
            assert role.answer(question) == RULES_OF_GAMES.answer(question)
        else:
            with pytest.raises(RoleError):
                role.answer(question)

    def test_a_model_for_a_role_without_a_prompt_in_the_domain_is_refused(self) -> None:
        models = models_of(default="scripted:a")
        with pytest.raises(ConfigurationError, match=r"no prompt.*model\.reflector=rules"):
            answering(models, REFLECTOR, HOUSEHOLD, TextReflector())


def asked_roles(offer: WorldOffer, settings: dict[str, dict[str, Any]], preset: str = "full") -> set[str]:
    """Returns the roles for which a model is made; each role has a model of its own."""
    made: set[str] = set()

    def make(spec: str, config: RoleModelConfig, budget: Budget) -> ChatModel:
        made.add(spec.removeprefix("scripted:"))
        return ScriptedModel([])

    models = ModelPool(RoleModelConfig(**{role: f"scripted:{role}" for role in ROLE_NAMES}), make)
    agent = configure_agent(preset, settings, offer)
    for name, spec in agent.wiring.components.items():
        spec.build(agent.configs[name], agent.matched.domain, models)
    return made


LEXICAL = {"embedder": "lexical"}


class TestComponents:
    def test_agents_of_text_worlds_ask_every_role_except_those_of_a_robot(self) -> None:
        settings = {"spatial_memory": {**LEXICAL, "enabled": True}, "critic": {"enabled": True}}
        asked = asked_roles(GAME, settings, "reflexion") | asked_roles(PLANNING, {}, "hiagent")
        of_a_robot = {role.name for role in ROLES if role.has_images}
        of_a_robot |= {TASK_PARSER.name, CATEGORY_FILTER.name, RECORDER.name, JUDGE.name}
        assert asked == set(ROLE_NAMES) - of_a_robot

    def test_agents_without_reflection_ask_no_reflector(self) -> None:
        assert REFLECTOR.name not in asked_roles(GAME, {"spatial_memory": LEXICAL})

    def test_agents_that_act_at_random_ask_no_planner(self) -> None:
        assert PLANNER.name not in asked_roles(GAME, {"spatial_memory": LEXICAL}, "random")

    def test_agents_of_a_robot_ask_the_roles_that_models_can_answer_there(self) -> None:
        assert asked_roles(HOME, {}) >= {PLANNER.name, CRITIC.name, TASK_PARSER.name}
        assert asked_roles(HOME, {}) <= set(wiring(HOME).roles)

    @OFFERS
    def test_components_report_model_calls_only_when_they_ask_a_model(self, offer: WorldOffer) -> None:
        agent = configure_agent("full", {}, offer)
        spec, given = agent.wiring.components["planner"], (agent.configs["planner"], agent.matched.domain)
        for models in (None, models_of(), models_of(critic="scripted:a")):
            assert not isinstance(spec.build(*given, models), ModelCallReporter)
        assert isinstance(spec.build(*given, models_of(planner="scripted:a")), ModelCallReporter)

    @OFFERS
    def test_components_with_roles_declare_the_topic_of_model_calls(self, offer: WorldOffer) -> None:
        for spec in wiring(offer).components.values():
            assert (topics.MODEL_CALL in spec.outputs) == bool(spec.roles), spec.name


def planned(on_failure: str) -> list[Message]:
    """Returns the messages of a planner of text games whose model cannot be reached."""

    def away(request: ChatRequest) -> UnreachableError:
        return UnreachableError("m", request.role, "no connection")

    config = RoleModelConfig(planner="scripted:a", on_failure=on_failure)
    models = ModelPool(config, lambda *_: ScriptedModel(away))
    agent = configure_agent("full", {}, GAME)
    spec = agent.wiring.components["planner"]
    planner = spec.build(agent.configs["planner"], agent.matched.domain, models)
    step = StepStamp(task_id="t", step=0)
    request = PlanRequest(at=step, task=TASK, allowed_actions=(EAST,), observation="You are in a hall.")
    said: list[Message] = []
    for topic, message in (
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=step)),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=step)),
        (topics.PLAN_REQUEST, request),
    ):
        said += [message for _, message in planner.handle(topic, message)]
    return said


class TestFailure:
    def test_rules_plan_when_the_model_cannot_be_reached(self) -> None:
        call, role, plan = planned(RULES)
        assert isinstance(call, ModelCall)
        assert call.error.code == ErrorCode.MODEL_UNREACHABLE
        assert isinstance(role, RoleCall)
        assert isinstance(plan, Plan)
        assert plan.actions == (EAST,)

    @pytest.mark.parametrize("on_failure", [FAIL, RETRY])
    def test_planner_has_no_answer_when_rules_must_not_replace_a_model(self, on_failure: str) -> None:
        _, role, plan = planned(on_failure)
        assert isinstance(role, RoleCall)
        assert "no connection" in role.error
        assert isinstance(plan, Plan)
        assert (plan.actions, plan.error.code) == ((), ErrorCode.MODEL_UNREACHABLE)


DEADLINES = ("step_deadline", "plan_deadline", "critique_deadline", "cancel_deadline")


def deadlines(offer: WorldOffer, models: RoleModelConfig | None, **overrides: object) -> tuple[float, ...]:
    executor = configure_agent("full", {"executor": overrides}, offer, models).configs["executor"]
    return tuple(getattr(executor, name) for name in DEADLINES)


class TestWaiting:
    def test_waits_allow_each_question_to_be_asked_twice(self) -> None:
        models = RoleModelConfig(default="scripted:a", deadline=10.0)
        roles = {SUMMARISER.name, RELATION_RETRIEVER.name, RELATION_AGGREGATOR.name}
        assert model_waits(models, wiring(GAME).roles, 3) == {
            "step_deadline": len(roles) * 20.0,
            "plan_deadline": 20.0,
            "critique_deadline": 60.0,
        }

    def test_first_step_of_a_further_attempt_waits_for_the_reflector_as_well(self) -> None:
        models = RoleModelConfig(default="scripted:a", deadline=10.0)
        learning = AGENTS.match("reflexion", GAME).wiring.roles
        assert model_waits(models, learning, 3)["step_deadline"] == 4 * 20.0

    def test_grace_period_extends_the_waits_only_when_models_are_retried(self) -> None:
        settings = {"planner": "scripted:a", "deadline": 10.0, "grace_period": 100.0}
        waits = [
            model_waits(RoleModelConfig(on_failure=kind, **settings), wiring(GAME).roles, 3)["plan_deadline"]  # type: ignore[arg-type]
            for kind in (RULES, FAIL, RETRY)
        ]
        assert waits == [20.0, 20.0, 220.0]

    def test_roles_without_a_model_do_not_extend_the_waits(self) -> None:
        models = RoleModelConfig(default="scripted:a", planner=RULES, critic=RULES)
        assert model_waits(models, wiring(GAME).roles, 3)["plan_deadline"] == 0.0
        assert model_waits(models, wiring(GAME).roles, 3)["critique_deadline"] == 0.0
        assert model_waits(models, wiring(HOME).roles, 3)["step_deadline"] == 0.0

    def test_a_model_for_the_scene_graph_extends_the_wait_of_each_step(self) -> None:
        models = RoleModelConfig(scene_graph="scripted:a", deadline=10.0)
        assert model_waits(models, wiring(HOME).roles, 1)["step_deadline"] >= 20.0
        assert model_waits(models, wiring(GAME).roles, 1)["step_deadline"] == 0.0

    @pytest.mark.parametrize(("limit", "times"), [(8, 8), (20, 20), (0, SCENE_GRAPH.questions)])
    def test_wait_of_each_step_grows_with_the_keyframes_that_a_model_is_asked_about(
        self, limit: int, times: int
    ) -> None:
        models = RoleModelConfig(scene_graph="scripted:a", deadline=10.0)
        overrides = {"perception": {"source": "model", "questions_per_step": limit}}
        plain, longer = (
            configure_agent("full", overrides, HOME, asked).configs["executor"].step_deadline
            for asked in (None, models)
        )
        assert longer - plain == times * 20.0

    @OFFERS
    def test_executor_deadlines_are_not_extended_when_rules_answer(self, offer: WorldOffer) -> None:
        assert deadlines(offer, RoleModelConfig()) == deadlines(offer, None)

    def test_executor_deadlines_are_extended_when_models_answer(self) -> None:
        models = RoleModelConfig(default="scripted:a", deadline=10.0)
        before, after = deadlines(GAME, None), deadlines(GAME, models)
        assert tuple(b - a for a, b in zip(before, after, strict=True)) == (60.0, 20.0, 60.0, 0.0)

    def test_critique_deadline_grows_with_the_number_of_verdicts(self) -> None:
        models = RoleModelConfig(critic="scripted:a", deadline=10.0)
        configs = configure_agent("full", {"critic": {"verdicts": "5"}}, GAME, models).configs
        plain = configure_agent("full", {}, GAME).configs
        assert configs["executor"].critique_deadline == plain["executor"].critique_deadline + 100.0

    def test_deadline_in_the_overrides_is_not_extended(self) -> None:
        models = RoleModelConfig(default="scripted:a", deadline=10.0)
        plain = deadlines(GAME, models)
        step, plan, critique, _ = deadlines(GAME, models, plan_deadline="5")
        assert (step, plan, critique) == (plain[0], 5.0, plain[2])


class TestChecking:
    @OFFERS
    def test_a_model_for_all_roles_is_accepted_by_every_wiring(self, offer: WorldOffer) -> None:
        check_models(RoleModelConfig(), wiring(offer))
        check_models(RoleModelConfig(default="scripted:a"), wiring(offer))
        check_models(RoleModelConfig(**dict.fromkeys(ROLE_NAMES, RULES)), wiring(offer))

    @pytest.mark.parametrize(
        ("offer", "role"), [(offer, role) for offer in (HOME, GAME) for role in ROLE_NAMES], ids=str
    )
    def test_model_for_a_role_that_the_agent_does_not_ask_is_refused(
        self, offer: WorldOffer, role: str
    ) -> None:
        models = RoleModelConfig(**{role: "scripted:a"})
        there = wiring(offer).roles
        if role in there:
            check_models(models, wiring(offer))
            return
        with pytest.raises(ConfigurationError, match=f"model.{role} is set") as refusal:
            check_models(models, wiring(offer))
        assert str(refusal.value).endswith(f"it can be asked for: {', '.join(there)}")

    def test_an_invalid_model_name_is_refused(self) -> None:
        with pytest.raises(ConfigurationError, match="'gpt-4' is no model"):
            check_models(RoleModelConfig(default="gpt-4"), wiring(GAME))
