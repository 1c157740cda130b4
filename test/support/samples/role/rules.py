"""The domain's side of the judge: rules, the example for `stma doctor --model`, and the stand-in for a model."""

from __future__ import annotations

from stma_ros.testing.model_server.sections import needed, sections
from support.samples.role.judge import BEST, WORST, JudgeQuery, Mark, MarkReply

EXAMPLE = JudgeQuery("Where is the mug?", "in the sink", "it is in the sink")


class WordJudge:
    """Marks by the share of the right answer's words that were given."""

    def answer(self, query: JudgeQuery) -> Mark:
        right, given = set(query.right.split()), set(query.given.split())
        share = len(right & given) / max(1, len(right))
        return Mark(WORST + round(share * (BEST - WORST)), f"{len(right & given)} of {len(right)} words")


def stand_in(question: str) -> MarkReply:
    """What a model would reply. Raises UnreadableQuestionError."""
    told = sections(question, ("Question: ", "Right:\n", "Given:\n"))
    query = JudgeQuery(needed(told, "Question"), needed(told, "Right"), needed(told, "Given"))
    mark = WordJudge().answer(query)
    return MarkReply(mark.reason, mark.mark)
