"""Tests of reading the replies of summariser, relation retriever, relation aggregator and reflector."""

from __future__ import annotations

import pytest

from stma_ros.domains.cooking.notes import read_notes
from stma_ros.domains.cooking.summariser import TextSummariser, note_from_record
from stma_ros.roles.reflector import REFLECTOR, ReflectQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery, Description
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, Relations
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskStatus
from stma_ros.types.scene_graph import Relation, Route
from support.roles.scripted_client import ScriptedClient, prompted
from support.roles.scripted_text_home import small_home
from support.roles.text_player import TASK, Player

PLAYER = Player(small_home()).do("examine cookbook", "take knife from counter", "go east")
RECORDS = tuple(PLAYER.records)


class TestSummariser:
    BEFORE = TextSummariser().answer(SummariseQuery(TASK, Summary(), RECORDS[:2], 2))
    QUERY = SummariseQuery(TASK, BEFORE, RECORDS, 2)

    @staticmethod
    def reply(*notes: tuple[int, str], **changes: object) -> dict[str, object]:
        fields: dict[str, object] = {
            "goals": ["make the meal"],
            "instructions": [],
            "progress": "A knife was taken.",
            "suggestions": ["look for the ham."],
        }
        return {**fields, "notes": [{"step": step, "note": note} for step, note in notes], **changes}

    GOOD = (
        (2, "The knife was taken."),
        (3, "Step 3 (go east), backyard. Exits: west. There: bbq. Carried: knife."),
    )

    def summarise(self, *replies: dict[str, object], query: SummariseQuery = QUERY) -> Summary:
        return prompted(SUMMARISER, ScriptedClient(*replies)).answer(query)

    def test_prompted_summary_appends_new_notes_with_their_steps(self) -> None:
        summary = self.summarise(self.reply(*self.GOOD))

        assert summary.observations == (
            *self.BEFORE.observations,
            "Step 2: The knife was taken.",
            "Step 3 (go east), backyard. Exits: west. There: bbq. Carried: knife.",
        )

    def test_prompted_summary_does_not_depend_on_the_order_of_notes(self) -> None:
        assert self.summarise(self.reply(*reversed(self.GOOD))) == self.summarise(self.reply(*self.GOOD))

    def test_prompted_summary_puts_a_note_on_one_line(self) -> None:
        summary = self.summarise(self.reply((2, "The knife\nwas   taken."), self.GOOD[1]))

        assert summary.observations[-2] == "Step 2: The knife was taken."

    def test_prompted_summary_drops_the_notes_of_dropped_records(self) -> None:
        late = SummariseQuery(TASK, self.BEFORE, RECORDS[1:], 2)

        observations = self.summarise(self.reply(*self.GOOD), query=late).observations

        assert [client.split()[1].rstrip(":") for client in observations] == ["1", "2", "3"]

    def test_prompted_summary_takes_completed_actions_from_the_records(self) -> None:
        rules = TextSummariser().answer(self.QUERY)

        assert self.summarise(self.reply(*self.GOOD)).completed == rules.completed

    def test_prompted_summary_preserves_instructions_without_duplicates(self) -> None:
        (recipe,) = self.BEFORE.instructions
        reply = self.reply(*self.GOOD, instructions=[f" {recipe}\n", "Beware of the dog.", ""])

        assert self.summarise(reply).instructions == (recipe, "Beware of the dog.")

    def test_prompted_summary_without_goals_has_the_task_as_its_goal(self) -> None:
        assert self.summarise(self.reply(*self.GOOD)).active_goals == ("make the meal",)
        assert self.summarise(self.reply(*self.GOOD, goals=[" "])).active_goals == (TASK,)

    def test_prompted_summary_has_the_text_layout_of_the_rules(self) -> None:
        rules = TextSummariser().answer(self.QUERY)
        notes = [(record.step, str(note_from_record(record))) for record in RECORDS[2:]]
        reply = self.reply(*notes, goals=[], progress=rules.progress, suggestions=list(rules.suggestions))

        assert self.summarise(reply) == rules

    def test_prompted_summary_has_no_empty_progress_or_advice(self) -> None:
        text = self.summarise(self.reply(*self.GOOD, progress=" ", suggestions=["."])).text

        assert "Progress" not in text
        assert "Advice" not in text

    @pytest.mark.parametrize(
        ("notes", "problem"),
        [
            (GOOD[:1], "notes of steps 3 are missing"),
            ((*GOOD, (1, "x"), (7, "y")), "notes of steps 1, 7 are not among what is new"),
            ((*GOOD, GOOD[0]), "notes of steps 2 are there more than once"),
            ((), "give one note for each of the steps 2, 3"),
            ((GOOD[0], (3, " ")), "the note of step 3 is empty"),
            ((GOOD[0], (3, "Step 4 (go west), kitchen.")), "the note of step 3 begins with 'Step 4'"),
        ],
    )
    def test_prompted_summary_with_unsuitable_notes_is_sent_back(
        self, notes: tuple[tuple[int, str], ...], problem: str
    ) -> None:
        client = ScriptedClient(self.reply(*notes), self.reply(*self.GOOD))

        summary = prompted(SUMMARISER, client).answer(self.QUERY)

        assert problem in client.requests[1].messages[-1].text
        assert summary == self.summarise(self.reply(*self.GOOD))


class TestRetriever:
    QUERY = RelationQuery(TemporalBelief(text=PLAYER.summary.text), since=2)

    @staticmethod
    def reply(
        *facts: tuple[str, str, str], step: int = 3, looks: tuple[tuple[str, int], ...] = ()
    ) -> dict[str, object]:
        keys = "subject", "predicate", "object"
        return {
            "facts": [{**dict(zip(keys, fact, strict=True)), "step": step} for fact in facts],
            "seen_whole": [{"room": room, "step": at} for room, at in looks],
        }

    def retrieve(self, *replies: dict[str, object]) -> Relations:
        return prompted(RELATION_RETRIEVER, ScriptedClient(*replies)).answer(self.QUERY)

    def test_prompted_retriever_reads_facts_and_complete_rooms_with_their_steps(self) -> None:
        ways = (("kitchen", "exit east", "backyard"), ("backyard", "exit east", "unexplored"))

        relations = self.retrieve(self.reply(*ways, ("robot", "in", "backyard"), looks=(("backyard", 3),)))

        assert relations.triples == tuple(
            Relation(*fact) for fact in (*ways, (words.ROBOT, words.IN, "backyard"))
        )
        assert relations.steps == (3, 3, 3)
        assert relations.complete == {"backyard": 3}

    def test_prompted_retriever_accepts_every_predicate_of_the_vocabulary(self) -> None:
        facts = [
            ("robot", words.IN, "hall"),
            ("knife", words.ON, "table"),
            ("knife", words.HELD_BY, words.ROBOT),
            ("fridge", words.STATE, words.STATE_CLOSED),
            *(("hall", f"{kind}{way}", "x") for kind in (words.EXIT, words.DOOR) for way in words.OPPOSITE),
        ]

        assert self.retrieve(self.reply(*facts)).triples == tuple(Relation(*fact) for fact in facts)

    def test_prompted_retriever_normalises_names(self) -> None:
        relations = self.retrieve(
            self.reply(("The Knife", "In", "a  Kitchen"), looks=(("the Kitchen", 2), ("Kitchen", 1)))
        )

        assert relations.triples == (Relation("knife", words.IN, "kitchen"),)
        assert relations.complete == {"kitchen": 2}

    def test_prompted_retriever_reads_other_wordings_of_facts(self) -> None:
        relations = self.retrieve(
            self.reply(("kitchen", "contains", "fridge"), ("hall", "is north of", "kitchen"))
        )

        assert relations.triples == (
            Relation("fridge", words.IN, "kitchen"),
            Relation("kitchen", "exit north", "hall"),
        )

    @pytest.mark.parametrize(
        ("unusable", "problem"),
        [
            (
                reply(("knife", "likes", "table")),
                "no fact has the predicate 'likes'; use: in, on, held by, state",
            ),
            (reply(("knife", "in room", "kitchen")), "no fact has the predicate 'in room'"),
            (reply((" ", "in", "kitchen")), "names nothing"),
            (reply(("knife", "", "table")), "names nothing"),
            (reply(("table", "on", "table")), "cannot be"),
            (reply(("knife", "on", "x" * 300)), "300 characters"),
            (reply(("knife", "on", "table"), step=-1), "a step is negative"),
            (reply(looks=(("kitchen", -2),)), "a step is negative"),
            (reply(looks=((" ", 2),)), "' ' is no name of a room"),
        ],
    )
    def test_prompted_retriever_sends_an_impossible_fact_back(
        self, unusable: dict[str, object], problem: str
    ) -> None:
        client = ScriptedClient(unusable, self.reply())

        assert prompted(RELATION_RETRIEVER, client).answer(self.QUERY) == Relations()
        assert problem in client.requests[1].messages[-1].text

    def test_question_of_the_retriever_names_the_first_step(self) -> None:
        client = ScriptedClient(self.reply())

        prompted(RELATION_RETRIEVER, client).answer(self.QUERY)

        asked = client.requests[0].messages[1].text
        assert asked == f"{PLAYER.summary.text}\n\nReport: what was seen at step 2 or later."


class TestAggregator:
    QUERY = AggregateQuery("backyard", PLAYER.graph.facts, ())

    @staticmethod
    def reply(
        *ways: tuple[str, list[str]],
        facts: tuple[tuple[str, str, str], ...] = (),
        description: str = "All of it.",
    ) -> dict[str, object]:
        keys = "subject", "predicate", "object"
        return {
            "description": description,
            "facts": [dict(zip(keys, fact, strict=True)) for fact in facts],
            "ways": [{"to": to, "commands": commands} for to, commands in ways],
        }

    def aggregate(self, *replies: dict[str, object]) -> Description:
        return prompted(RELATION_AGGREGATOR, ScriptedClient(*replies)).answer(self.QUERY)

    def test_prompted_aggregator_reads_text_conclusions_and_routes(self) -> None:
        concluded = (
            ("backyard", "exit west", "kitchen"),
            ("stove", "in room", "kitchen"),
            ("a", "farther up", "b"),
        )
        ways = ("The Kitchen", ["go west"]), ("exit north of kitchen", [" go west ", "go north"])

        description = self.aggregate(self.reply(*ways, facts=concluded))

        assert description.text == "All of it."
        assert description.facts == tuple(Relation(*fact) for fact in concluded)
        assert description.routes == (
            Route(target="kitchen", length=1, moves=("go west",)),
            Route(target="exit north of kitchen", length=2, moves=("go west", "go north")),
        )

    def test_prompted_aggregator_drops_conclusions_that_were_given(self) -> None:
        assert self.aggregate(self.reply(facts=(("Stove", "in", "the kitchen"),))).facts == ()

    def test_prompted_aggregator_accepts_a_route_without_commands_to_the_present_room(self) -> None:
        assert self.aggregate(self.reply(("backyard", []))).routes == (Route(target="backyard", length=0),)

    @pytest.mark.parametrize(
        ("unusable", "problem"),
        [
            (reply(description=" "), "the description is empty"),
            (reply(("kitchen", [])), "the way to 'kitchen' lacks a command"),
            (reply(("kitchen", ["go west", " "])), "the way to 'kitchen' lacks a command"),
            (reply((" ", ["go west"])), "no name of a room"),
            (reply(facts=(("stove", "likes", "kitchen"),)), "no fact has the predicate 'likes'"),
            (reply(facts=(("stove", "in", ""),)), "names nothing"),
        ],
    )
    def test_prompted_aggregator_sends_an_unusable_description_back(
        self, unusable: dict[str, object], problem: str
    ) -> None:
        client = ScriptedClient(unusable, self.reply())

        assert prompted(RELATION_AGGREGATOR, client).answer(self.QUERY) == Description("All of it.")
        assert problem in client.requests[1].messages[-1].text


class TestReflector:
    QUERY = ReflectQuery(
        TASK, PLAYER.summary, TaskStatus.FAILED, Error(ErrorCode.OUT_OF_COMMANDS, "it is over")
    )

    def test_prompted_reflector_reads_the_lesson(self) -> None:
        client = ScriptedClient({"lesson": " Be quick.\n"})

        assert prompted(REFLECTOR, client).answer(self.QUERY).text == "Be quick."

    def test_prompted_reflector_refuses_an_empty_lesson(self) -> None:
        with pytest.raises(UnusableReplyError, match="the lesson is empty"):
            prompted(REFLECTOR, ScriptedClient(*[{"lesson": " "}] * 2)).answer(self.QUERY)


def test_rules_read_the_notes_of_a_model() -> None:
    client = ScriptedClient(TestSummariser.reply(*TestSummariser.GOOD))
    summary = prompted(SUMMARISER, client).answer(TestSummariser.QUERY)

    assert [note.step for note in read_notes("\n".join(summary.observations))] == [0, 1, 3]
