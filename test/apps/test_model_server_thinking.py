"""Tests of the stand-in for a model in the roles of an agent that learns: thinker and judge."""

from __future__ import annotations

import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.examples import EXAMPLES
from stma_ros.domains.household.judge import SymbolicJudge
from stma_ros.domains.household.thinker import HouseholdThinker
from stma_ros.models.chat import ChatMessage, MessageRole
from stma_ros.roles.judge import AS_A_WHOLE, JUDGE, JudgementReply
from stma_ros.roles.thinker import THINKER, ThinkQuery, ThoughtReply
from stma_ros.testing.model_server.household import judge, think
from stma_ros.testing.model_server.role_answers import Answering
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.testing.model_server.thinking import judgement_reply, thought_reply
from support.roles.prompt_examples import example_of
from support.roles.scripted_client import prompt_of, read_reply, text_of
from support.roles.scripted_home import with_goals

THINKER_PROMPT, JUDGE_PROMPT = prompt_of("household/thinker"), prompt_of("household/judge")
THOUGHT, THINKING = example_of(THINKER_PROMPT.text)
FINISHED, JUDGEMENT = example_of(JUDGE_PROMPT.text)
KNOWLEDGE = household_categories()


def test_stand_in_thinker_chooses_the_action_that_its_prompt_shows() -> None:
    shown, answer = read_reply(ThoughtReply, THINKING), think(THOUGHT)
    assert answer.failure == shown.failure == "none"
    assert shown.action == "navigate(cupboard_1)"
    assert answer.action in ("navigate(cupboard_1)", "navigate(fridge_1)")
    assert answer.rationale


def test_rules_of_thumb_in_the_question_change_what_the_stand_in_does() -> None:
    both = "mug: in or on a cupboard in a kitchen, 5 of 7 times\nmug: in or on a fridge in a kitchen, 0 of 3 times"
    for cupboard, fridge, action in ((0, 40, "navigate(fridge_1)"), (40, 0, "navigate(cupboard_1)")):
        rules = (
            f"mug: in or on a cupboard in a kitchen, {cupboard} of 40 times\n"
            f"mug: in or on a fridge in a kitchen, {fridge} of 40 times"
        )
        assert think(THOUGHT.replace(both, rules)).action == action
    alike = both.replace("5 of 7", "2 of 2").replace("0 of 3", "2 of 2")
    for stuck, action in (("cupboard", "navigate(fridge_1)"), ("fridge", "navigate(cupboard_1)")):
        rules = f"{alike}\na {stuck} could be opened 0 of 40 times"
        assert think(THOUGHT.replace(both, rules)).action == action


def test_stand_in_judge_finds_the_faults_that_its_prompt_shows() -> None:
    shown, answer = read_reply(JudgementReply, JUDGEMENT), judge(FINISHED)
    assert (
        [score.score for score in answer.steps][:3]
        == [score.score for score in shown.steps][:3]
        == [10, 10, 0]
    )
    assert answer.whole.score <= 5
    assert judge(f"{FINISHED}\n\nJudge:\n{AS_A_WHOLE}").steps == []


def test_stand_in_judge_reads_how_actions_ended() -> None:
    failed = FINISHED.replace("mug_2 is red and within reach.", "plate_1.\nFailed: the grip slipped")
    assert "Failed" in failed
    assert len(judge(failed).steps) == 4


def test_stand_ins_answer_the_example_questions_like_the_rules() -> None:
    question = EXAMPLES[THINKER.name]
    assert isinstance(question, ThinkQuery)
    thought = HouseholdThinker(KNOWLEDGE).answer(
        ThinkQuery(
            question.task,
            with_goals(question.temporal, question.task),
            question.spatial,
            question.allowed_actions,
            rules=question.rules,
        )
    )
    assert think(text_of(question)) == thought_reply(thought)
    judged = SymbolicJudge(KNOWLEDGE).answer(EXAMPLES[JUDGE.name])
    assert judge(text_of(EXAMPLES[JUDGE.name])) == judgement_reply(judged)


def test_questions_are_answered_by_the_stand_ins_of_their_prompts() -> None:
    for prompt, question, ask in ((THINKER_PROMPT, THOUGHT, think), (JUDGE_PROMPT, FINISHED, judge)):
        messages = (
            ChatMessage(MessageRole.SYSTEM, (prompt.text,)),
            ChatMessage(MessageRole.USER, (question,)),
        )
        assert Answering().answer(messages) == ask(question)


@pytest.mark.parametrize("ask", [think, judge])
def test_text_that_is_no_question_is_refused(ask: object) -> None:
    with pytest.raises(UnreadableQuestionError):
        ask("Hello, what can you do?")  # type: ignore[operator]


def test_rule_of_thumb_in_another_form_is_refused() -> None:
    with pytest.raises(UnreadableQuestionError, match="no rule of thumb"):
        think(THOUGHT.replace("5 of 7 times", "often"))


def test_task_without_sense_is_given_up_and_scores_nothing() -> None:
    answer = think(THOUGHT.replace("Put the red mug into the sink.", "Sing me a song."))
    assert (answer.action, answer.failure) == ("give_up()", "impossible")
    assert judge(FINISHED.replace("Put the red mug into the sink.", "Sing me a song.")).whole.score == 0
