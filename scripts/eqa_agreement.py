"""Shows how far question reader and judge agree with OpenEQA's file: `scripts/eqa_agreement.py open-eqa-v0.json`.

The held-out half is for reports; develop on the other one (--development).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.eqa.agreement import category_agreement, is_held_out, judge_agreement
from stma_ros.evaluation.eqa.judge import RuleJudge
from stma_ros.evaluation.eqa.question_files import load_openeqa


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("file", type=Path, help="open-eqa-v0.json")
    arguments.add_argument("--development", action="store_true", help="the half that rules are developed on")
    options = arguments.parse_args()
    knowledge = household_categories()
    questions = [
        question
        for question in load_openeqa(options.file)
        if is_held_out(question) is not options.development
    ]
    categories = category_agreement(QuestionParser(knowledge), questions)
    share = 100 * categories.right / categories.questions
    print(f"category: {share:.1f} % of {categories.questions} questions, {categories.refused} refused")
    judge = RuleJudge(knowledge)
    for category, found in judge_agreement(judge, questions, judge).items():
        line = (
            f"{category}: {100 * found.wrong / found.negatives:.1f} % of {found.negatives} negatives scored 1"
        )
        if found.positives:
            line += (
                f"; of {found.positives} positives {100 * found.right / found.positives:.1f} % scored 4 or 5,"
                f" {100 * found.same / found.positives:.1f} % scored 5"
            )
        print(line)


if __name__ == "__main__":
    main()
