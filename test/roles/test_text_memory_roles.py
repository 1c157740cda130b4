"""Tests of summariser, relation retriever and relation aggregator of text worlds."""

from __future__ import annotations

from dataclasses import replace

import networkx
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.notes import read_notes
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.exclusive_facts import place_slot
from stma_ros.memory.working.records import raw_summary
from stma_ros.roles.relation_aggregator import AggregateQuery, Description
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from support.roles.scripted_text_home import linked, small_home
from support.roles.text_player import Player

RECIPE = """You open the book and start reading:

Ingredients:
red onion
  ham

Directions:
chop the red onion
  fry the ham
  prepare meal"""


def record(
    step: int, command: str = "", room: str = "hall", feedback: str = "", commands: tuple[str, ...] = ()
) -> Observation:
    outcome = Outcome()
    if command:
        stamp = Header(Time(step + 1))
        outcome = Outcome(
            header=stamp,
            request_id=f"t/{step}",
            task_id="t",
            step=step,
            action=Action("command", (command,)),
            result=Result.SUCCEEDED,
        )
    return Observation(
        header=Header(Time(step + 1)),
        task_id="t",
        step=step,
        last_outcome=outcome,
        feedback=feedback,
        description=f"-= {room.title()} =-\nA room.",
        inventory="You are carrying: a raw ham.",
        admissible_commands=("drop ham", *commands),
    )


class TestSummariser:
    def summarise(self, records: list[Observation], window: int = 25) -> Summary:
        summary = Summary()
        for count in range(1, len(records) + 1):
            recent = tuple(records[max(0, count - window) : count])
            summary = TextSummariser().answer(SummariseQuery("cook", summary, recent, 1))
        return summary

    def test_text_summary_has_a_note_for_each_record_of_the_window(self) -> None:
        summary = self.summarise([record(step, "look") for step in range(6)], window=4)

        assert [note.step for note in read_notes("\n".join(summary.observations))] == [2, 3, 4, 5]

    def test_text_summary_preserves_the_recipe_word_for_word(self) -> None:
        records = [
            record(0),
            record(1, "read", feedback=RECIPE),
            *(record(step, "look") for step in range(2, 9)),
        ]

        summary = self.summarise(records, window=3)

        assert summary.instructions == (RECIPE[RECIPE.index("Ingredients") :],)
        assert "chop the red onion" in summary.text

    def test_text_summary_does_not_grow_with_the_history(self) -> None:
        records = [record(step, f"take thing {1000 + step}") for step in range(240)]

        shorter, longer = (self.summarise(records[:count]).text for count in (120, 240))

        assert len(longer.split()) == len(shorter.split())
        assert "take thing 1239" in longer

    def test_text_summary_holds_each_command_before_the_window_once(self) -> None:
        records = [record(step, f"go {('east', 'west')[step % 2]}") for step in range(1, 41)]

        completed = self.summarise(records, window=5).completed

        assert len(completed) <= 5 + 2
        assert [outcome.step for outcome in completed[-5:]] == [36, 37, 38, 39, 40]

    def test_text_summary_has_a_suggestion_for_a_failed_command(self) -> None:
        failed = Outcome(
            request_id="t/1",
            step=1,
            action=Action("command", ("fly",)),
            result=Result.FAILED,
            error=Error(ErrorCode.ACTION_NOT_ALLOWED, "no wings"),
        )

        summary = self.summarise([Observation(step=1, last_outcome=failed)])

        assert any("fly" in text and "no wings" in text for text in summary.suggestions)


def belief(*records: Observation, raw: bool = False) -> TemporalBelief:
    query = SummariseQuery("cook", Summary(), records, len(records))
    summary = raw_summary(records) if raw else TextSummariser().answer(query)
    last = records[-1]
    return TemporalBelief(
        at=StepStamp(header=last.header, task_id="t", step=last.step),
        completed=summary.completed,
        observations=summary.observations,
        text=summary.text,
    )


def triples_from(*records: Observation, raw: bool = False) -> list[tuple[str, str, str]]:
    relations = TextRelationRetriever().answer(RelationQuery(belief(*records, raw=raw)))
    return [(fact.subject, fact.predicate, fact.object) for fact in relations.triples]


RECORDS = (
    record(0, room="hall", commands=("go east", "examine chest", "open chest")),
    record(1, "go east", room="kitchen", commands=("go west", "take knife from table", "examine table")),
)


class TestRetriever:
    def test_text_retriever_derives_the_target_of_an_exit_that_was_taken(self) -> None:
        facts = triples_from(*RECORDS)

        assert ("hall", "exit east", "kitchen") in facts
        assert ("kitchen", "exit west", words.UNEXPLORED) in facts

    def test_text_retriever_derives_places_and_states_of_objects(self) -> None:
        facts = triples_from(*RECORDS)

        assert {
            ("chest", words.IN, "hall"),
            ("chest", words.STATE, words.STATE_CLOSED),
            ("knife", words.ON, "table"),
            ("table", words.IN, "kitchen"),
            ("ham", words.HELD_BY, words.ROBOT),
            ("ham", words.STATE, "raw"),
        } <= set(facts)
        assert facts.index((words.ROBOT, words.IN, "hall")) < facts.index((words.ROBOT, words.IN, "kitchen"))

    def test_text_retriever_gives_each_fact_the_step_of_its_observation(self) -> None:
        relations = TextRelationRetriever().answer(RelationQuery(belief(*RECORDS)))

        seen = zip(relations.triples, relations.steps, strict=True)
        assert {step for fact, step in seen if fact.subject == "knife"} == {1}

    def test_text_retriever_uses_only_what_its_prompt_contains(self) -> None:
        """The stamps of actions, for example, are in no prompt."""
        known = belief(*RECORDS)
        text = replace(known, completed=(), at=StepStamp(task_id=known.task_id))

        retrieve = TextRelationRetriever().answer
        assert retrieve(RelationQuery(text)) == retrieve(RelationQuery(known))

    def test_text_retriever_gives_the_last_step_at_which_a_room_was_seen_whole(self) -> None:
        records = *RECORDS, record(2, "go west", room="hall", commands=("go east",))
        relations = TextRelationRetriever().answer(RelationQuery(belief(*records)))

        assert relations.complete == {"hall": 2, "kitchen": 1}

    def test_text_retriever_does_not_count_a_dark_room_as_seen(self) -> None:
        relations = TextRelationRetriever().answer(RelationQuery(belief(record(0, room="cellar"))))

        assert relations.complete == {}

    def test_text_retriever_gives_the_same_facts_for_the_raw_history(self) -> None:
        assert triples_from(*RECORDS, raw=True) == triples_from(*RECORDS)

    def test_text_retriever_gives_no_facts_for_an_empty_belief(self) -> None:
        assert TextRelationRetriever().answer(RelationQuery(TemporalBelief())).triples == ()


class TestOutdatedPlaces:
    def test_text_planner_visits_a_wrong_place_only_once(self) -> None:
        """The memory has the ham in the shed, but it is in an unexplored room some rooms away."""
        ways = [("kitchen", "north", "shed"), ("kitchen", "east", "corridor")]
        ways += [("corridor", "east", "bedroom"), ("bedroom", "east", "bathroom")]
        things = {"cookbook": "table", "knife": "counter", "ham": "bathroom"}
        home = small_home(
            exits=linked(*ways), doors={}, things=things, ingredients=("ham",), directions=("fry the ham",)
        )
        player = Player(home).do("examine cookbook", "go north", "go south")
        now = player.records[-1].header.stamp
        player.graph.update(
            [Relation("ham", words.IN, "shed", confidence=1.0, first_seen=now, last_seen=now)]
        )

        player.play()

        assert player.home.won
        assert player.done.count("go north") == 2

    def test_knowledge_graph_retains_objects_in_a_closed_container(self) -> None:
        player = Player(small_home()).do("open fridge", "close fridge", "go north", "go south")

        held = player.graph.fact(place_slot("ham"))
        assert held is not None
        assert held.object == "fridge"

    def test_knowledge_graph_drops_the_place_of_an_object_taken_away_meanwhile(self) -> None:
        player = Player(small_home()).do("open fridge", "go north")
        player.home.things["ham"] = "garden"
        player.do("go south")

        assert player.graph.fact(place_slot("ham")) is None
        player.do("look", "look")
        assert [fact.object for fact in player.graph.history(place_slot("ham"))] == ["fridge"]


def aggregate(room: str, *facts: tuple[str, str, str]) -> Description:
    query = AggregateQuery(room, tuple(Relation(*fact) for fact in facts), ())
    return TextRelationAggregator().answer(query)


class TestAggregator:
    def test_text_aggregator_concludes_the_way_back_of_every_exit(self) -> None:
        description = aggregate(
            "hall", ("hall", "exit east", "kitchen"), ("kitchen", "exit west", words.UNEXPLORED)
        )

        assert Relation("kitchen", "exit west", "hall") in description.facts
        assert [route.target for route in description.routes] == ["hall", "kitchen"]

    def test_text_aggregator_concludes_no_way_back_that_is_known_to_lead_elsewhere(self) -> None:
        description = aggregate("hall", ("hall", "exit east", "kitchen"), ("kitchen", "exit west", "yard"))

        assert Relation("kitchen", "exit west", "hall") not in description.facts

    def test_text_aggregator_concludes_the_room_at_the_end_of_a_chain_of_places(self) -> None:
        description = aggregate(
            "kitchen",
            (words.ROBOT, "in", "kitchen"),
            ("egg", "in", "box"),
            ("box", "on", "shelf"),
            ("shelf", "in", "kitchen"),
        )

        assert {f.subject: f.object for f in description.facts} == {
            "egg": "kitchen",
            "box": "kitchen",
            "shelf": "kitchen",
        }

    def test_text_aggregator_concludes_no_room_for_a_loop_of_places(self) -> None:
        assert aggregate("kitchen", ("egg", "in", "box"), ("box", "in", "egg")).facts == ()

    def test_text_aggregator_gives_routes_to_untaken_exits_with_commands_for_closed_doors(self) -> None:
        description = aggregate(
            "hall",
            ("hall", "exit east", words.UNEXPLORED),
            ("hall", "door east", "red door"),
            ("red door", "state", "closed"),
            ("hall", "exit north", words.UNEXPLORED),
        )

        assert {route.target: route.moves for route in description.routes} == {
            "hall": (),
            "exit north of hall": ("go north",),
            "exit east of hall": ("open red door", "go east"),
        }
        assert "nobody has been there" in description.text

    def test_text_aggregator_gives_no_routes_when_the_room_is_unknown(self) -> None:
        assert aggregate("", ("hall", "exit east", "kitchen")).routes == ()


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["north", "east", "up"]), st.integers(0, 5)), max_size=12
    )
)
def test_text_aggregator_gives_shortest_routes(ways: list[tuple[int, str, int]]) -> None:
    exits = {(one, direction): other for one, direction, other in ways if one != other}
    facts = [(f"r{one}", f"exit {direction}", f"r{other}") for (one, direction), other in exits.items()]
    description = aggregate("r0", (words.ROBOT, "in", "r0"), *facts)
    graph = networkx.DiGraph()
    graph.add_node("r0")
    for subject, predicate, item in [
        *facts,
        *((f.subject, f.predicate, f.object) for f in description.facts),
    ]:
        if predicate.startswith(words.EXIT):
            graph.add_edge(subject, item)

    lengths = networkx.single_source_shortest_path_length(graph, "r0")

    assert {route.target: int(route.length) for route in description.routes} == lengths
    assert all(len(route.moves) == route.length for route in description.routes)
