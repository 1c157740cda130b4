"""Converts the text of a task into goals."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.domains.household.goals import FindGoal, Goal
from stma_ros.domains.household.language import consistency, politeness, sentence
from stma_ros.domains.household.language.clause_reader import ClauseReader
from stma_ros.domains.household.language.noun_phrase import UnreadError
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.types.errors import ContradictionError, TaskNotUnderstoodError
from stma_ros.types.task_text import task_text

_EXAMPLES = (
    "For example 'find the red mug', 'where is the remote?', 'put the two cups from the table into the"
    " sink and "
    "close the cupboard', 'bring me the book in the bedroom', 'turn off all the lamps', 'tidy away the toys'."
)


@dataclass(frozen=True)
class HouseholdLanguage:
    """A DescriptionReader for English, with knowledge of categories."""

    knowledge: CategoryKnowledge

    def goals(self, text: str) -> tuple[Goal, ...]:
        """Returns the goals of a task, in the order of the text, without repetitions.

        Raises:
            TaskNotUnderstoodError: a part of the text is not understood. The message contains examples.
            ContradictionError: two goals exclude each other and are not in a sequence ("then", "after that").
            TaskTooLongError: the text is too long.
        """
        text = task_text(text)
        rewriter = Rewriter(self.knowledge)
        reader = RequestReader(self.knowledge)
        try:
            requests = ClauseReader(reader, rewriter, polite=politeness.is_polite(text)).read(
                sentence.clauses(rewriter, text)
            )
        except UnreadError as error:
            raise _not_understood(text, error) from error
        requests = consistency.drop_means(requests)
        excluded = consistency.contradiction(requests)
        if excluded:
            raise ContradictionError(
                f"The task {_shown(text)} contradicts itself: '{excluded[0]}' and '{excluded[1]}' cannot both"
                f" be. Leave "
                "one of them out, or say in what order they are meant ('..., then ...')."
            )
        return consistency.without_repetitions([request.goal for request in requests])

    def description(self, phrase: str) -> Description | None:
        """Returns the description in a noun phrase ("my red mug in the kitchen") or in a question for an object.

        Other phrases give None.
        """
        for text in (phrase, f"find {phrase}"):
            try:
                goals = self.goals(text)
            except (TaskNotUnderstoodError, ContradictionError):
                continue
            if len(goals) == 1 and isinstance(goals[0], FindGoal):
                return goals[0].what
        return None


def _not_understood(text: str, error: UnreadError) -> TaskNotUnderstoodError:
    return TaskNotUnderstoodError(
        f"The task {_shown(text)} is not understood: {_shown(error.what)} {error.fault}. {_EXAMPLES}"
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
