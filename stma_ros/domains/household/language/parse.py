"""Converts the text of a task into goals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal
from stma_ros.domains.household.language import (
    addressees,
    asides,
    changes,
    complaints,
    compound_names,
    conditions,
    connectives,
    consistency,
    contrasts,
    coordination,
    coverage,
    errands,
    fetching,
    limits,
    matrix_clauses,
    motives,
    noun_details,
    partitives,
    politeness,
    quantities,
    refusals,
    searches,
    sentence,
    separations,
    small_talk,
    spots,
    subordinate_clauses,
    typos,
    unasked_actions,
    undone,
)
from stma_ros.domains.household.language.clause_reader import ClauseReader
from stma_ros.domains.household.language.corrections import Corrections
from stma_ros.domains.household.language.noun_phrase import NounPhrases
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.shades import without_shades
from stma_ros.domains.household.language.spelling import normalised
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.types.errors import ContradictionError, TaskNotUnderstoodError
from stma_ros.types.task_text import task_text

_EXAMPLES = (
    "For example 'find the red mug', 'where is the remote?', 'put the two cups from the table into the"
    " sink and "
    "close the cupboard', 'bring me the book in the bedroom', 'turn off all the lamps', 'tidy away the toys'."
)
_ALONE = "Say it in a sentence of its own."


@dataclass(frozen=True)
class Reading:
    """What a text asks for.

    Attributes:
        goals: in the order of the text.
        remarks: what people should know of how the text was read, as sentences.
    """

    goals: tuple[Goal, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class HouseholdLanguage:
    """A DescriptionReader for English, with knowledge of categories."""

    knowledge: CategoryKnowledge

    def goals(self, text: str) -> tuple[Goal, ...]:
        """Returns the goals of a task. Raises as `read` does."""
        return self.read(text).goals

    def read(self, text: str) -> Reading:
        """Returns the goals of a task, in the order of the text, without repetitions.

        Typing errors of known words are corrected where exactly one correction can be read.

        Raises:
            TaskNotUnderstoodError: a part of the text is not understood. The message says which, and what to write.
            ContradictionError: two goals exclude each other and are not in a sequence ("then", "after that").
            TaskTooLongError: the text is too long.
        """
        text = task_text(text)
        said, remarks = without_shades(normalised(text), self.knowledge)
        try:
            unasked_actions.check_verbless(text)
            unasked_actions.check(said)
        except UnreadError as error:
            raise _not_understood(text, error) from None
        goals: tuple[Goal, ...] = ()
        refusal: UnreadError | None = None
        try:
            goals = self._goals(said, text)
        except UnreadError as error:
            refusal = error
        doubt = self._doubt(said, goals)
        if goals and doubt is None:
            return Reading(goals, tuple(remarks))
        corrected = self._corrected(said)
        if corrected is not None:
            return replace(corrected, remarks=(*corrected.remarks, *remarks))
        if refusal is not None and doubt is not None and refusal.fault == UnreadError(said).fault:
            refusal = doubt  # the more telling of the two
        raise _not_understood(text, refusal or doubt or UnreadError(said))

    def _goals(self, said: str, text: str) -> tuple[Goal, ...]:
        """Returns the goals of a normalised text as it is spelt.

        Args:
            said: the normalised text.
            text: the text that messages show.

        Raises:
            UnreadError: a part of the text is not understood.
            ContradictionError: two goals exclude each other.
        """
        rewriter = Rewriter(self.knowledge)
        reader = RequestReader(self.knowledge)
        spelt, said = said, self._said_at_once(rewriter, said)
        clauses, parted = separations.taken_out(sentence.clauses(rewriter, said), NounPhrases(self.knowledge))
        requests = ClauseReader(reader, rewriter, polite=politeness.is_polite(said)).read(clauses)
        requests = consistency.with_common_floor(consistency.drop_means(requests))
        excluded = consistency.contradiction(requests)
        if excluded:
            raise ContradictionError(
                f"The task {_shown(text)} contradicts itself: '{excluded[0]}' and '{excluded[1]}' cannot both"
                f" be. Leave "
                "one of them out, or say in what order they are meant ('..., then ...')."
            )
        goals = consistency.without_repetitions([request.goal for request in requests])
        goals = consistency.together_if_several(separations.applied(parted, goals))
        things = [thing for goal in goals for thing in _things(goal)]
        lost = coverage.forgotten(spelt, goals, things, self.knowledge)
        if lost:
            raise UnreadError(
                lost, "is a thing that you want something done with, but I do not understand what", _ALONE
            )
        return goals

    def _corrected(self, text: str) -> Reading | None:
        """Returns the reading of a text with its typing errors corrected; None = there is not exactly one."""
        readings: dict[tuple[Goal, ...], typos.Correction] = {}
        for correction in typos.corrections(text, self.knowledge):
            try:
                said = normalised(correction.text)
                unasked_actions.check(said)
                goals = self._goals(said, text)
            except (UnreadError, ContradictionError):
                continue
            if self._doubt(correction.text, goals) is None:
                readings[goals] = correction
        if len(readings) != 1:
            return None
        ((goals, correction),) = readings.items()
        return Reading(goals, correction.remarks) if correction.is_likely else None

    def _doubt(self, text: str, goals: Sequence[Goal]) -> UnreadError | None:
        """Returns why a word of a normalised text may be a typing error; None = none looks like one."""
        unknown = typos.unknown_words(text, self.knowledge)
        for word in unknown:
            near = typos.near_words(word, self.knowledge) or typos.near_common_words(word, self.knowledge)
            if near:
                meant = " or ".join(f"'{name}'" for name in near[:3])
                return UnreadError(word, "is a word that I do not know", f"Do you mean {meant}?")
        for thing in (thing for goal in goals for thing in _things(goal)):
            parts = thing.category.split()
            strange = [part for part in parts if part in unknown or f"{part}s" in unknown]
            if strange and any(map(self.knowledge.is_known, map(self.knowledge.canonical, parts))):
                return UnreadError(
                    strange[0], "is a word that I do not know", "Leave it out, or use another one."
                )
        return None

    def _said_at_once(self, rewriter: Rewriter, text: str) -> str:
        """Returns a normalised text with ranges, conditions and corrections as plain text. Raises UnreadError."""
        text = asides.without_asides(noun_details.plain(text, self.knowledge))
        text = connectives.plain(compound_names.joined(text, self.knowledge))
        matrix_clauses.check(text)
        text = small_talk.without_small_talk(text, self.knowledge)
        text = partitives.as_noun_phrases(coordination.with_and(text), self.knowledge)
        text = addressees.without_name(text, self.knowledge)
        for plain in (
            motives.plain_statements,
            changes.plain_changes,
            fetching.plain_requests,
            errands.plain_requests,
            spots.plain_places,
            undone.plain_statements,
            searches.plain_questions,
            contrasts.plain_statements,
        ):
            text = plain(text)
        text = matrix_clauses.with_matrix_first(complaints.plain_statements(text))
        refusals.check(text)
        limits.check_owner(text)
        text = conditions.marked(quantities.with_least_numbers(text))
        text = Corrections(rewriter, NounPhrases(self.knowledge)).applied(text)
        return subordinate_clauses.with_plain_clauses(text)

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


def _things(goal: Goal) -> Iterator[Description]:
    """Yields the objects of a goal, and the places of these and of its destination."""
    ends = (goal.what, goal.destination if isinstance(goal, PlaceGoal) else None)
    for thing in ends:
        while thing is not None:
            yield thing
            thing = thing.place


def _not_understood(text: str, error: UnreadError) -> TaskNotUnderstoodError:
    return TaskNotUnderstoodError(
        f"The task {_shown(text)} is not understood: {_shown(error.what)} {error.fault}."
        f" {error.remedy or _EXAMPLES}"
    )


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
