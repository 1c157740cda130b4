"""What the model behind the server says: the title of the prompt tells which role is asked, the rules decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from stma_ros.models.chat import Speaker, Turn
from stma_ros.models.images import Picture
from stma_ros.roles.prompted.replies import Reply
from stma_ros.testing.model_server import household, scene_graph, text_roles
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types.errors import StmaError

Answering: TypeAlias = Callable[[str, Sequence[Picture]], Reply]
"""Of a question's text and its pictures. Raises UnreadableQuestionError, or a StmaError where there is no answer."""

LOST = "I am not sure what you want."
"""What it says to anything else than a role's question."""


def _of_text(answer: Callable[[str], Reply]) -> Answering:
    return lambda question, pictures: answer(question)


ANSWERING: Final[Mapping[str, Answering]] = MappingProxyType(
    {
        "# Summariser": _of_text(text_roles.summarise),
        "# Relation retriever": _of_text(text_roles.retrieve),
        "# Relation aggregator": _of_text(text_roles.aggregate),
        "# Planner of a text game": _of_text(text_roles.plan),
        "# Critic of a text game": _of_text(text_roles.criticise),
        "# Reflector": _of_text(text_roles.reflect),
        "# Planner of a household robot": _of_text(household.plan),
        "# Critic of a household robot": _of_text(household.criticise),
        "# Scene graph expert": scene_graph.build,
    }
)
"""The first line of a prompt -> who answers what follows it."""


def answer(turns: Sequence[Turn]) -> Reply | None:
    """The reply to a conversation: to its first question, for what may follow is an earlier reply and what was wrong
    with it. None = it does not know what is wanted."""
    instructions = next((turn.text for turn in turns if turn.speaker is Speaker.SYSTEM), "")
    asked = next((turn for turn in turns if turn.speaker is Speaker.USER), None)
    role = ANSWERING.get(instructions.strip().partition("\n")[0].strip())
    if role is None or asked is None:
        return None
    try:
        return role(asked.text, [part for part in asked.parts if isinstance(part, Picture)])
    except (UnreadableQuestionError, StmaError):
        return None
