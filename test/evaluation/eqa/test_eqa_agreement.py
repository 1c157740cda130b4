"""Agreement of question reader and judge with a file of people's questions and answers."""

from __future__ import annotations

from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.eqa.agreement import (
    CategoryAgreement,
    JudgeAgreement,
    category_agreement,
    is_held_out,
    judge_agreement,
)
from stma_ros.evaluation.eqa.judge import RuleJudge
from stma_ros.evaluation.eqa.question_files import EqaQuestion

PLACE, COLOUR = "object localization", "attribute recognition"
QUESTIONS = (
    EqaQuestion("1", "flat", "Where is the mug?", "on the sofa", ("on the couch", "by the window"), PLACE),
    EqaQuestion("2", "flat", "Where is the plate?", "in the sink", ("in the sink under the tap",), PLACE),
    EqaQuestion("3", "flat", "Where is the fork?", "on the couch", (), PLACE),
    EqaQuestion("4", "flat", "What colour is the rug?", "red", (), COLOUR),
    EqaQuestion("5", "flat", "The rug.", "blue", (), COLOUR),
)


def test_category_agreement_counts_right_and_refused_questions() -> None:
    parser = QuestionParser(household_categories())
    assert category_agreement(parser, QUESTIONS) == CategoryAgreement(questions=5, right=4, refused=1)


def test_judge_agreement_leaves_out_answers_of_others_that_are_right() -> None:
    judge = RuleJudge(household_categories())
    found = judge_agreement(judge, QUESTIONS, judge)
    # The mug's and the fork's answers are the same, so that 4 of 6 pairs remain.
    assert found == {
        PLACE: JudgeAgreement(positives=3, right=2, same=2, negatives=4, wrong=4),
        COLOUR: JudgeAgreement(positives=0, right=0, same=0, negatives=2, wrong=2),
    }


def test_held_out_half_depends_on_the_id_alone() -> None:
    ids = [EqaQuestion(str(index), "flat", "Where?", "there") for index in range(400)]
    held_out = [question.id for question in ids if is_held_out(question)]
    assert 150 < len(held_out) < 250
    other = EqaQuestion(held_out[0], "another flat", "What?", "this")
    assert is_held_out(other)
