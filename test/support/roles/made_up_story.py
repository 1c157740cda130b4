"""A made-up text adventure, and a player whose roles are the rules of the domain `adventure`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from stma_ros.components.temporal_memory.condensing import ChunkCondenser
from stma_ros.components.temporal_memory.temporal_memory_config import SubgoalMemoryConfig
from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser
from stma_ros.domains.adventure.policy import AdventurePolicy
from stma_ros.memory.working.subgoal_chunks import Closed, SubgoalChunks
from stma_ros.roles.observation_summariser import ObservationSummariserRole
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery, PolicyRole
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp

TASK = "Explore the world of this text adventure."
GIVE_UP = Action(words.SKILL_GIVE_UP)

ROOMS = {
    "Gate House": "Rain drips from the arch. A gravel path leads north.",
    "Courtyard": "In the middle is a well. The path goes on to the south, a low building is to the east, and in the "
    "north an iron door leads into the keep.",
    "Stable": "It smells of horses. The only way out is west.",
    "Hall of the Old Kings": "You are in a hall. Stairs lead up, others down.",
    "Gallery": "Portraits stare at you. You can only go down.",
    "Cellar": "",  # it is dark there
}
WAYS = {
    ("Gate House", "north"): "Courtyard",
    ("Courtyard", "south"): "Gate House",
    ("Courtyard", "east"): "Stable",
    ("Courtyard", "north"): "Hall of the Old Kings",
    ("Stable", "west"): "Courtyard",
    ("Hall of the Old Kings", "south"): "Courtyard",
    ("Hall of the Old Kings", "up"): "Gallery",
    ("Hall of the Old Kings", "down"): "Cellar",
    ("Gallery", "down"): "Hall of the Old Kings",
    ("Cellar", "up"): "Hall of the Old Kings",
}


@dataclass
class Story:
    """The state of the story."""

    room: str = "Gate House"
    is_open: bool = False
    visited: list[str] = field(default_factory=lambda: ["Gate House"])
    said: list[tuple[str, str]] = field(default_factory=list)

    @property
    def description(self) -> str:
        return f"{self.room}\n{ROOMS[self.room]}" if ROOMS[self.room] else ""

    def say(self, command: str) -> str:
        """Returns the reply to a command."""
        self.said.append((self.room, command))
        if command == "open iron door" and self.room == "Courtyard":
            self.is_open = True
            return "The hinges screech."
        if command == "north" and self.room == "Courtyard" and not self.is_open:
            return "The iron door is closed."
        to = WAYS.get((self.room, command))
        if to is None:
            return "You can't go that way." if self.description else "It is too dark to see the walls."
        is_new = to not in self.visited
        self.room = to
        self.visited.append(to)
        if not self.description:
            return "It is pitch dark."
        return self.description if is_new else to


class Player:
    """Plays a story through the working memory, as the agent does.

    Attributes:
        answers: those of the policy, oldest first.
    """

    def __init__(
        self,
        *,
        subgoals: bool = True,
        window: int = 0,
        closed: Closed = Closed.SUMMARY,
        opening: str = "",
        policy: PolicyRole = AdventurePolicy(),
        summariser: ObservationSummariserRole = AdventureObservationSummariser(),
    ) -> None:
        self.story = Story()
        self.answers: list[PlanAnswer] = []
        self._subgoals = subgoals
        self._policy = policy
        self._condenser = ChunkCondenser(SubgoalMemoryConfig(), summariser)
        self._memory = SubgoalChunks(10_000, window, closed)
        self._subgoal = ""
        self._memory.add(self._record("", f"{opening}{self.story.description}"), "")

    @property
    def query(self) -> PolicyQuery:
        """The question to the policy now."""
        content = self._memory.content
        temporal = TemporalBelief(subgoal=self._subgoal, chunks=content.chunks, text=content.text)
        return PolicyQuery(
            TASK, temporal, SpatialBelief(), (GIVE_UP,), any_command=True, subgoals=self._subgoals
        )

    def play(self, commands: int) -> Iterator[str]:
        """Yields the commands that the policy gives, until it gives up."""
        for _ in range(commands):
            answer = self._policy.answer(self.query)
            self.answers.append(answer)
            if answer.actions == (GIVE_UP,):
                return
            (command,) = answer.actions[0].arguments
            self._subgoal = answer.subgoal or self._subgoal
            self._memory.add(self._record(command, self.story.say(command)), self._subgoal)
            list(self._condenser.condense(self._memory, TASK, StepStamp()))
            yield command

    def _record(self, command: str, reply: str) -> Observation:
        return record(command, reply, self.story.description)


def record(command: str, reply: str, description: str = "") -> Observation:
    """Returns the record of a command; of the first look around, if the command is empty."""
    observation = Observation(feedback=reply, description=description, inventory="You are empty-handed.")
    if not command:
        return observation
    action = Action(words.SKILL_COMMAND, (command,))
    return replace(
        observation, last_outcome=Outcome(request_id="t/1", action=action, result=Result.SUCCEEDED)
    )
