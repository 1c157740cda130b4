"""Rules for the category filter."""

from __future__ import annotations

from stma_ros.domains.eqa.aims import Aim, read_aim
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.category_filter import CategoryQuery, RelevantCategories


class SymbolicCategoryFilter:
    """Names what the question is about, then doors, then furniture of the room that the question names."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)

    def answer(self, query: CategoryQuery) -> RelevantCategories:
        aim = read_aim(self._parser, query.question, self._knowledge)
        ranks = {category: self._rank(category, aim) for category in query.categories}
        relevant = [category for category, rank in ranks.items() if rank is not None]
        ordered = sorted(relevant, key=lambda category: ranks[category] or 0)
        return RelevantCategories(tuple(ordered[: query.most]))

    def _rank(self, category: str, aim: Aim) -> int | None:
        """Returns how early a category is named; None if it does not matter."""
        knows = self._knowledge
        for rank, kind in enumerate(aim.kinds):
            if knows.are_related(category, kind):
                return rank
        if knows.is_openable(category) and not knows.is_container(category):
            return len(aim.kinds)  # a door: behind it may be what is asked for
        if knows.is_furniture(category):
            rooms = knows.room_shares(category)
            if rooms and max(rooms, key=lambda room: rooms[room]) == aim.room:
                return len(aim.kinds) + 1
        return None
