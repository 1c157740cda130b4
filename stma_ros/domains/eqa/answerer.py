"""Rules for the answerer."""

from __future__ import annotations

from stma_ros.domains.eqa.answer_rules import AnswerRules
from stma_ros.domains.eqa.closer_looks import CloserLooks
from stma_ros.domains.eqa.merged_pictures import MergedPictures
from stma_ros.domains.eqa.question import QuestionNotUnderstoodError
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.recency import (
    is_lasting,
    only_seen_before,
    recent_first,
    without_what_has_gone,
)
from stma_ros.domains.eqa.seen_scene import SeenScene, SeenThing
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.answerer import AnswerQuery, CloserLook, QuestionAnswer
from stma_ros.types.errors import TaskNotUnderstoodError

UNKNOWN = "I do not know"


class SymbolicAnswerer:
    """Answers once the snapshots show the answer; that something is nowhere is known when all is explored."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)
        self._merged = MergedPictures(knowledge)

    def answer(self, query: AnswerQuery) -> QuestionAnswer:
        """Raises TaskNotUnderstoodError for a text that asks nothing."""
        try:
            question = self._parser.parse(query.question)
        except QuestionNotUnderstoodError as error:
            raise TaskNotUnderstoodError(str(error)) from error
        snapshots = without_what_has_gone(query, self._knowledge)
        scene = SeenScene(
            snapshots,
            self._knowledge,
            query.frontiers,
            is_explored=query.is_explored,
            merged=self._merged,
        )
        rules = AnswerRules(question, scene, self._knowledge)
        finding = rules.find()
        missing = f"What is missing: {finding.missing}." if finding.missing else ""
        things = [seen for thing in finding.things if (seen := scene.find(thing.id)) is not None]
        holds = not query.old or is_lasting(question, finding, self._knowledge)
        best = (thing.shown_in if holds else recent_first(thing.shown_in, query) for thing in things)
        shown = tuple(dict.fromkeys(views[0] for views in best))
        again = () if holds else only_seen_before(things, question, query)
        if again:
            ago = query.seen_ago[again[0]]
            reasoning = f"I saw it {ago}: it may have changed."
            if not query.must_answer:
                return QuestionAnswer("", again, is_sure=False, reasoning=reasoning)
            if finding.answer:
                return QuestionAnswer(f"{finding.answer} (seen {ago})", shown, False, reasoning)
        if finding.is_complete and not finding.is_guess and (holds or things):
            return QuestionAnswer(finding.answer, shown, reasoning="The pictures show it.")
        if not query.must_answer:
            wanted = CloserLooks(question, scene, rules.meant).find(finding)
            closer = tuple(_closer_look(thing, scene, query) for thing in wanted)
            return QuestionAnswer("", reasoning=missing, closer=closer)
        if not finding.answer:
            return QuestionAnswer("", shown, is_sure=False, reasoning=f"{UNKNOWN}. {missing}".strip())
        return QuestionAnswer(finding.answer, shown, is_sure=False, reasoning=missing)


def _closer_look(thing: SeenThing, scene: SeenScene, query: AnswerQuery) -> CloserLook:
    number, found = scene.largest_view(thing)
    return CloserLook(number, query.snapshots[number].detections.index(found))
