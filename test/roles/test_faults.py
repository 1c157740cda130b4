"""Tests of injected faults: their rate, their effect on answers, and their report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.critic import CRITIC, CritiqueAnswer, CritiqueQuery
from stma_ros.roles.faults import FaultConfig, FaultyRole, InjectedFault
from stma_ros.roles.planner import PLANNER, PlanAnswer, PlanQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery, Description
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, Relations
from stma_ros.roles.spec import AnyRole
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.roles.task_parser import TASK_PARSER, ParsedTask, TaskQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.errors import RoleError
from stma_ros.types.planning import Action, Verdict
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import Header, Time
from support.roles.scripted_text_home import small_home
from support.roles.text_player import GIVE_UP, TASK, Player, command

SEEDS = range(12)

# -- queries of the roles in a game


@dataclass(frozen=True)
class Moment:
    """The queries of all roles at one step."""

    summarise: SummariseQuery
    relate: RelationQuery
    aggregate: AggregateQuery
    plan: PlanQuery
    criticise: CritiqueQuery


def moments() -> Iterator[Moment]:
    player = Player(small_home())
    for text in ("examine cookbook", "take knife from counter", "go east", "go east", "take red onion"):
        before = player.summary
        player.do(text)
        beliefs = player.temporal, player.spatial
        facts = player.graph.facts
        yield Moment(
            SummariseQuery(TASK, before, tuple(player.records), 1),
            RelationQuery(player.temporal),
            AggregateQuery(player.spatial.room, facts, ()),
            PlanQuery(TASK, *beliefs, player.allowed, observation=player.observation),
            CritiqueQuery(TASK, "", player.plan().actions[0], player.allowed, *beliefs, player.observation),
        )


GAME = tuple(moments())

Answer: TypeAlias = "Summary | Relations | Description | PlanAnswer | CritiqueAnswer | ParsedTask"


RULES: Mapping[str, tuple[AnyRole, Any, Callable[[Moment], object]]] = {
    SUMMARISER.name: (SUMMARISER, TextSummariser(), lambda moment: moment.summarise),
    RELATION_RETRIEVER.name: (RELATION_RETRIEVER, TextRelationRetriever(), lambda moment: moment.relate),
    RELATION_AGGREGATOR.name: (
        RELATION_AGGREGATOR,
        TextRelationAggregator(),
        lambda moment: moment.aggregate,
    ),
    PLANNER.name: (PLANNER, TextPlanner(), lambda moment: moment.plan),
    CRITIC.name: (CRITIC, TextCritic(), lambda moment: moment.criticise),
    TASK_PARSER.name: (
        TASK_PARSER,
        SymbolicTaskParser(household_categories()),
        lambda moment: TaskQuery(f"open drawer_{moment.summarise.records[-1].step} and switch on the lamp"),
    ),
}
"""Each role with classes of fault, the rules that answer it, and its query."""


def sound(name: str, moment: Moment) -> Answer:
    _, rules, question = RULES[name]
    answer: Answer = rules.answer(question(moment))
    return answer


def kinds_of(role: AnyRole) -> tuple[FaultKind, ...]:
    return (*role.faults, FaultKind.MALFORMED)


every_role = pytest.mark.parametrize("name", RULES)


def played(
    name: str, rate: float, seed: int = 0, game: Sequence[Moment] = GAME
) -> list[tuple[Answer | None, InjectedFault | None]]:
    """Returns the answers of a role in the game, None if it has none, with the injected faults."""
    spec, rules, question = RULES[name]
    role = FaultyRole(spec, rules, FaultConfig(rate, seed))
    answers: list[tuple[Answer | None, InjectedFault | None]] = []
    for moment in game:
        try:
            answer: Answer | None = role.answer(question(moment))
        except RoleError:
            answer = None
        answers.append((answer, role.take()))
    return answers


def faults_of(name: str, rate: float = 0.5, seed: int = 0, game: Sequence[Moment] = GAME) -> list[object]:
    return [fault for _, fault in played(name, rate, seed, game)]


@every_role
class TestFaultRate:
    def test_faults_never_occur_at_a_rate_of_0(self, name: str) -> None:
        assert played(name, 0.0) == [(sound(name, moment), None) for moment in GAME]

    @pytest.mark.parametrize("seed", SEEDS)
    def test_faults_always_occur_at_a_rate_of_1(self, name: str, seed: int) -> None:
        for (answer, fault), moment in zip(played(name, 1.0, seed), GAME, strict=True):
            assert fault is not None
            assert answer != sound(name, moment)
            assert (answer is None) == (fault.kind is FaultKind.MALFORMED)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_answers_without_a_fault_are_unchanged(self, name: str, seed: int) -> None:
        for (answer, fault), moment in zip(played(name, 0.5, seed), GAME, strict=True):
            assert (answer == sound(name, moment)) == (fault is None)


@every_role
class TestSeeds:
    def test_faults_are_the_same_for_the_same_questions(self, name: str) -> None:
        assert played(name, 0.5, 3) == played(name, 0.5, 3)

    def test_faults_depend_on_the_seed(self, name: str) -> None:
        assert any(faults_of(name, seed=seed) != faults_of(name) for seed in SEEDS[1:])

    def test_faults_depend_on_the_course_of_the_game(self, name: str) -> None:
        target = [[fault is not None for fault in faults_of(name, seed=seed)][1:] for seed in SEEDS]
        later = [[fault is not None for fault in faults_of(name, 0.5, seed, GAME[1:])] for seed in SEEDS]

        assert target != later


def test_faults_do_not_depend_on_stamps() -> None:
    def target(seconds: int) -> list[FaultKind | None]:
        planner = FaultyRole(PLANNER, TextPlanner(), FaultConfig(0.5, 3))
        temporal = GAME[0].plan.temporal
        temporal = replace(temporal, at=replace(temporal.at, header=Header(Time(seconds))))
        query = replace(GAME[0].plan, temporal=temporal)
        return [planner.draw_fault(query) for _ in range(40)]

    assert target(1) == target(2000)


def test_faults_of_roles_are_independent() -> None:
    target = {
        tuple(fault is not None for seed in SEEDS for fault in faults_of(name, seed=seed)) for name in RULES
    }

    assert len(target) == len(RULES)


@every_role
def test_every_class_of_fault_of_a_role_occurs(name: str) -> None:
    seen = {fault.kind for seed in SEEDS for _, fault in played(name, 1.0, seed) if fault is not None}

    assert seen == set(kinds_of(RULES[name][0]))


# -- any answer


class Fixed:
    """A role of any kind with fixed answers."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)

    def answer(self, query: object) -> Any:
        return self._answers.pop(0)


class Certain(FaultyRole[Any, Any]):
    """A faulty role that always injects one class of fault into fixed answers."""

    def __init__(self, role: AnyRole, kind: FaultKind, *answers: Answer, seed: int = 0) -> None:
        super().__init__(role, Fixed(*answers), FaultConfig(1.0, seed))
        self._kind = kind

    def draw_fault(self, question: object) -> FaultKind:
        super().draw_fault(question)
        return self._kind


def asked(*allowed: str) -> PlanQuery:
    return PlanQuery("", TemporalBelief(), SpatialBelief(), (*map(command, allowed), GIVE_UP))


def asked_about(action: Action) -> CritiqueQuery:
    return CritiqueQuery("", "", action, (action,), TemporalBelief(), SpatialBelief())


def planned(*texts: str) -> PlanAnswer:
    return PlanAnswer("eat", tuple(map(command, texts)), "It is time.")


def corrupted(kind: FaultKind, *answers: PlanAnswer, allowed: Sequence[str]) -> tuple[PlanAnswer, str]:
    """Returns the last of several answers with the class and the detail of its fault."""
    planner = Certain(PLANNER, kind, *answers)
    for _ in answers:
        answer = planner.answer(asked(*allowed))
    return answer, fault_text(planner)


def fault_text(role: FaultyRole[Any, Any]) -> str:
    fault = role.take()
    assert fault is not None
    return f"{fault.kind.value}: {fault.detail}"


def test_injected_fault_is_reported_once() -> None:
    critic = Certain(CRITIC, FaultKind.FLIPPED, CritiqueAnswer(Verdict.UNKNOWN))
    critic.answer(asked_about(command("look")))

    assert critic.take() == InjectedFault(FaultKind.FLIPPED, "look")
    assert critic.take() is None


COMMANDS = st.sampled_from(["go north", "go south", "open door", "take ham", "eat meal"])
PLANS = st.lists(COMMANDS, min_size=1, max_size=3).map(lambda texts: planned(*texts)) | st.just(
    PlanAnswer("give up", (GIVE_UP,), "")
)
ANY_SEED = st.integers(0, 1000)


class TestPlans:
    @given(
        st.sampled_from(kinds_of(PLANNER)),
        st.lists(PLANS, min_size=1, max_size=3),
        st.lists(COMMANDS, max_size=4, unique=True),
        ANY_SEED,
    )
    def test_corrupted_plan_differs_as_its_fault_says(
        self, kind: FaultKind, plans: list[PlanAnswer], allowed: list[str], seed: int
    ) -> None:
        planner = Certain(PLANNER, kind, *plans, seed=seed)
        query = asked(*allowed)
        for number, sound in enumerate(plans):
            try:
                answer = planner.answer(query)
            except RoleError:
                assert fault_text(planner) == "malformed: "
                continue
            injected, _, detail = fault_text(planner).partition(": ")
            if injected == "outdated":
                assert answer == plans[number - 1] != sound
                assert detail == str(answer.actions[0])
                continue
            pairs = zip(answer.actions, sound.actions, strict=True)
            (wrong,) = (action for action, right in pairs if action != right)
            assert (wrong in query.allowed_actions) == (injected == "wrong")
            assert detail == str(wrong)

    def test_fault_wrong_may_replace_any_action_of_a_plan(self) -> None:
        sound = planned("go north", "take ham", "eat meal")
        places = set()
        for seed in range(20):
            answer = Certain(PLANNER, FaultKind.WRONG, sound, seed=seed).answer(asked("look"))
            places.add(answer.actions.index(command("look")))
        assert places == {0, 1, 2}

    @pytest.mark.parametrize(
        ("right", "wrong"),
        [
            ("cook ham with oven", "cook ham with stove"),
            ("go north", "go south"),
            ("dice ham", "cook ham with stove"),
        ],
    )
    def test_fault_wrong_chooses_the_most_similar_action(self, right: str, wrong: str) -> None:
        allowed = [right, "look", "cook ham with stove", "go south", "take knife"]

        answer, fault = corrupted(FaultKind.WRONG, planned(right), allowed=allowed)

        assert (answer, fault) == (planned(wrong), f"wrong: {wrong}")

    def test_fault_outdated_repeats_the_previous_plan(self) -> None:
        before, now = planned("go north", "eat meal"), planned("go south")

        answer, fault = corrupted(FaultKind.OUTDATED, before, now, allowed=["go south", "look"])

        assert (answer, fault) == (before, "outdated: go north")

    def test_fault_outdated_becomes_wrong_without_a_previous_plan(self) -> None:
        answer, fault = corrupted(FaultKind.OUTDATED, planned("go south"), allowed=["go south", "look"])

        assert (answer, fault) == (planned("look"), "wrong: look")

    def test_fault_wrong_becomes_disallowed_without_another_allowed_action(self) -> None:
        answer, fault = corrupted(FaultKind.WRONG, planned("go south"), allowed=["go south"])

        assert (answer, fault) == (planned("go south somehow"), "disallowed: go south somehow")


class TestVerdicts:
    @pytest.mark.parametrize(
        ("sound", "turned"),
        [(Verdict.ACCEPTED, Verdict.REJECTED), (Verdict.REJECTED, Verdict.ACCEPTED)],
    )
    def test_fault_flipped_inverts_a_verdict(self, sound: Verdict, turned: Verdict) -> None:
        critic = Certain(CRITIC, FaultKind.FLIPPED, CritiqueAnswer(sound, reason="So it is."))

        answer = critic.answer(asked_about(command("look")))

        assert answer.verdict == turned
        assert bool(answer.reason) == (turned == Verdict.REJECTED)
        assert fault_text(critic) == "flipped: look"


class TestSummaries:
    def summarised(self, kind: FaultKind, newest: str) -> tuple[Summary, str]:
        sound = Summary(observations=("old", newest), text=f"Task: eat\nold\n{newest}\nProgress: none")
        query = SummariseQuery("eat", Summary(text="before"), (), 0)
        summariser = Certain(SUMMARISER, kind, sound)
        return summariser.answer(query), fault_text(summariser)

    def test_fault_flipped_inverts_the_newest_note(self) -> None:
        summary, fault = self.summarised(FaultKind.FLIPPED, "go north, exits: south")

        assert fault == "flipped: go south, exits: north"
        assert summary.observations == ("old", "go south, exits: north")
        assert summary.text == "Task: eat\nold\ngo south, exits: north\nProgress: none"

    def test_fault_flipped_becomes_outdated_for_a_note_that_cannot_be_inverted(self) -> None:
        assert self.summarised(FaultKind.FLIPPED, "eat ham") == (
            Summary(text="before"),
            "outdated: the summary before",
        )


NAMES = st.sampled_from(["kitchen", "cellar", "ham", "fridge", words.ROBOT])
PREDICATES = st.sampled_from([words.IN, words.ON, words.STATE, "exit north", "door up", "odd"])
# The graph refuses facts that relate an entity to itself.
FACTS = st.builds(Relation, NAMES, PREDICATES, NAMES).filter(lambda fact: fact.subject != fact.object)


class TestFacts:
    @given(st.sampled_from(kinds_of(RELATION_RETRIEVER)), st.lists(FACTS, max_size=5), ANY_SEED)
    def test_corrupted_relations_differ_in_one_fact(
        self, kind: FaultKind, facts: list[Relation], seed: int
    ) -> None:
        sound = Relations(tuple(facts), tuple(range(len(facts))), {"kitchen": 1})
        retriever = Certain(RELATION_RETRIEVER, kind, sound, seed=seed)
        try:
            answer = retriever.answer(RelationQuery(TemporalBelief()))
        except RoleError:
            assert fault_text(retriever) == "malformed: "
            assert kind is FaultKind.MALFORMED or not facts
            return

        (changed,) = (new for new, old in zip(answer.triples, facts, strict=True) if new != old)
        injected, _, detail = fault_text(retriever).partition(": ")
        assert detail == f"{changed.subject} {changed.predicate} {changed.object}"
        assert injected in (kind.value, FaultKind.FLIPPED.value)
        assert replace(answer, triples=sound.triples) == sound

    def test_fault_flips_a_fact_without_an_alternative(self) -> None:
        sound = Relations((Relation("kitchen", "exit north", "cellar"),), (0,))
        retriever = Certain(RELATION_RETRIEVER, FaultKind.HALLUCINATED, sound)

        answer = retriever.answer(RelationQuery(TemporalBelief()))

        assert answer.triples == (Relation("kitchen", "exit south", "cellar"),)
        assert fault_text(retriever) == "flipped: kitchen exit south cellar"


MOVES = st.lists(st.sampled_from(["go north", "go south", "go up", "open door"]), max_size=3)
ROUTES = st.lists(
    st.builds(
        lambda target, moves: Route(target=target, length=len(moves), moves=tuple(moves)), NAMES, MOVES
    ),
    max_size=4,
    unique_by=lambda route: route.target,
)


def sentence(route: Route) -> str:
    return f"To the {route.target}, {route.length:.0f} commands: {', '.join(route.moves)}."


class TestRoutes:
    @given(st.sampled_from(kinds_of(RELATION_AGGREGATOR)), ROUTES, ANY_SEED)
    def test_corrupted_routes_differ_in_one_route(
        self, kind: FaultKind, routes: list[Route], seed: int
    ) -> None:
        text = "\n".join(
            ["The robot is in the kitchen.", *map(sentence, routes), "Also: (moon, state, full)."]
        )
        sound = Description(text, (Relation("ham", words.IN, "kitchen"),), tuple(routes))
        aggregator = Certain(RELATION_AGGREGATOR, kind, sound, seed=seed)
        try:
            answer = aggregator.answer(AggregateQuery("", (), ()))
        except RoleError:
            assert fault_text(aggregator) == "malformed: "
            return

        ((changed, before),) = (
            (new, old) for new, old in zip(answer.routes, routes, strict=True) if new != old
        )
        assert fault_text(aggregator) == f"{kind.value}: {changed.target}: {', '.join(changed.moves)}"
        assert changed.moves != before.moves
        assert answer.text == text.replace(sentence(before), sentence(changed))
        assert answer.facts == sound.facts


def test_answer_of_a_wrong_type_is_refused_with_the_name_of_its_role() -> None:
    class Chatty:
        def answer(self, question: PlanQuery) -> str:
            return "explore"

    planner = FaultyRole(PLANNER, Chatty(), FaultConfig())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Chatty answered the planner with 'explore'; return a PlanAnswer"):
        planner.answer(asked("look"))
