"""Reads the text of a household task by the grammars of English requests and questions."""

from __future__ import annotations

from stma_ros.domains.household.goals import goal_message
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.domains.household.question_reader import QuestionReader
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.task_parser import ParsedTask, TaskQuery
from stma_ros.types.common import Error
from stma_ros.types.errors import TaskNotUnderstoodError


class SymbolicTaskParser:
    """A TaskParserRole for household tasks."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._language = HouseholdLanguage(knowledge)
        self._questions = QuestionReader(knowledge)

    def answer(self, query: TaskQuery) -> ParsedTask:
        """Returns the goals of the task, or the error if its text is not understood."""
        try:
            reading = self._language.read(query.task)
        except TaskNotUnderstoodError as problem:
            asked = self._questions.read(query.task)
            if asked is None:
                return ParsedTask(error=Error.of(problem))
            return ParsedTask((goal_message(asked),))
        asked = self._questions.read(query.task, reading.goals)
        goals = reading.goals if asked is None else (asked,)
        return ParsedTask(tuple(map(goal_message, goals)), remarks=reading.remarks)
