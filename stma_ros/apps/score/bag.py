"""Scores one bag of `stma score`: as recorded, and with the decisions of other presets or models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from stma_ros.agents.registry import AGENTS, ROBOT, AgentRegistry
from stma_ros.apps.damage_summary import DamageSummary
from stma_ros.apps.score.detectors import score_detectors
from stma_ros.domains.registry import find_domain
from stma_ros.evaluation.offline.bag_score import BagScore, BagScorer, Reference
from stma_ros.evaluation.offline.decision_agreement import agreement
from stma_ros.evaluation.offline.detector_score import DetectorScore
from stma_ros.evaluation.offline.questions import Marked, Question, mark, read_questions
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.replay.chained_replay import SPATIAL_MEMORY, ChainedReplay, TimedQuestion
from stma_ros.replay.recorded_message import Reader
from stma_ros.replay.replay_agent import Changes
from stma_ros.storage.bag.reader import Bag, Damage
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.control import Configuration
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.message import Message
from stma_ros.types.telemetry import ModelCall

RECORDED = "recorded"
"""The preset shown for a bag that does not name it."""

Progress = Callable[[int], None]
"""Called repeatedly with the number of messages read."""

_SCORED = tuple(name for name in topics.TOPICS if name not in (*topics.FRAME, topics.CLOCK))
_SHOWN_OVER_TIME = (topics.SCENE_GRAPH, topics.MAP)


class ScoredBag:
    """A bag, scored by `as_recorded` and `as_changed`."""

    def __init__(
        self,
        path: Path,
        name: str,
        reference: Reference,
        questions: Path | None,
        agents: AgentRegistry = AGENTS,
    ) -> None:
        """Opens a bag.

        Args:
            path: Of the bag.
            name: For people.
            reference: What the bag is compared with.
            questions: The file with questions to its memory; None where none are given.
            agents: The registry with the recorded agent and others for the same decisions.

        Raises:
            StorageError: There is no bag, or none of this package.
            ConfigurationError: The questions cannot be used.
        """
        self.name = name
        self._bag = Bag(path)
        self._agents = agents
        self._reference = reference
        self._unread = DamageSummary()
        self._lost = (
            DamageSummary()
        )  # of these, those that are more than the end of a recorder that was killed
        self._reader = Reader(self._bag, self._damaged)
        if not self._reader.topics - {topics.CLOCK, *topics.FRAME}:
            raise StorageError(
                f"{path} holds no topic of this agent; `stma replay {path}` looks through a robot's own recording, and "
                "the folder that it leaves can be scored"
            )
        self._knowledge = self._recorded_knowledge()
        self._questions: Sequence[Question] | None = None
        if questions is not None:
            self._questions = read_questions(questions, self._knowledge)
        self.preset = self._recorded_preset(path)
        first = next(self._bag.messages(lambda _: None), None)
        self._start_ns = self._end_ns = 0 if first is None else first.stamp_ns
        self._recorded = BagScorer(reference, self._start_ns, knowledge=self._knowledge)
        self._times: dict[tuple[str, int], int] = {}

    @property
    def messages(self) -> int:
        """The number of messages."""
        return self._bag.message_count

    @property
    def damages(self) -> list[str]:
        """The unreadable parts of the bag, except for the end that a killed recorder leaves."""
        return self._lost.lines

    def as_recorded(self, progress: Progress) -> BagScore:
        """Scores the bag as recorded; to be called before `as_changed`. Notes why the memory cannot be asked."""
        for number, (topic, stamp_ns, message) in enumerate(self._reader.decoded(_SCORED)):
            self._recorded.take(topic, stamp_ns, message)
            self._end_ns = max(self._end_ns, stamp_ns)
            if topic in _SHOWN_OVER_TIME:
                self._times[topic, _stamp(message)] = stamp_ns
            if number % 100 == 0:
                progress(number)
        notes: tuple[str, ...] = ()
        answers: Sequence[Marked] | None = None
        if self._questions is not None:
            asked = ChainedReplay(
                self._bag, only=(SPATIAL_MEMORY,), on_damage=self._damaged, agents=self._agents
            )
            try:
                answers = self._ask(asked, progress)
            except StorageError as error:
                answers = self._questions = ()  # the replays are not asked either
                notes = (f"its memory was not asked: {error}",)
            notes = (*asked.notes, *notes)
        notes = (*self._unread.lines, *notes, *self._late())
        return self._recorded.finish(self.name, self.preset, answers, None, notes)

    def as_changed(self, label: str, changes: Changes, progress: Progress) -> BagScore:
        """Scores another agent on the bag. Raises as ChainedReplay does."""
        scorer = BagScorer(self._reference, self._start_ns, replayed=True, knowledge=self._knowledge)
        unanswered = _Unanswered()

        def hear(topic: str, time_ns: int, message: Message) -> None:
            if topic in _SHOWN_OVER_TIME:  # at the time of the recorded one
                time_ns = self._times.get((topic, _stamp(message)), time_ns)
            scorer.take(topic, time_ns, message)
            unanswered.take(message)

        replay = ChainedReplay(self._bag, changes, tap=hear, on_damage=self._damaged, agents=self._agents)
        answers = self._ask(replay, progress)
        compared_inputs = agreement(self._recorded.decisions, scorer.decisions)
        notes = (*self._unread.lines, *replay.notes, *unanswered.notes())
        return scorer.finish(
            self.name, label, None if self._questions is None else answers, compared_inputs, notes
        )

    def detectors(self, progress: Progress) -> Mapping[str, DetectorScore]:
        """Scores the detectors of the run; it reads the images of the bag."""
        return score_detectors(self._reader, self._reference.truth, self._knowledge, progress)

    def _damaged(self, damage: Damage) -> None:
        self._unread.add(damage)
        if not damage.is_cut:
            self._lost.add(damage)

    def _ask(self, replay: ChainedReplay, progress: Progress) -> list[Marked]:
        questions = self._questions or ()
        asked = [
            TimedQuestion(
                question.ask, None if question.at is None else self._start_ns + round(question.at * 1e9)
            )
            for question in questions
        ]
        answers = replay.run(asked, progress)
        return [
            mark(question, answer, self._knowledge)
            for question, answer in zip(questions, answers, strict=True)
        ]

    def _late(self) -> Iterator[str]:
        """Yields a note on questions that are never due."""
        end = (self._end_ns - self._start_ns) / 1e9
        for question in self._questions or ():
            if question.at is not None and question.at > end:
                yield f"{question.ask!r}: at {question.at:g} s is after the bag's end ({end:.1f} s); asked there"

    def _recorded_knowledge(self) -> CategoryKnowledge | None:
        """Returns the category knowledge of the recorded agent's domain; None where it has none."""
        name = ROBOT.domain
        if topics.CONFIGURATION in self._reader.topics:
            ahead = Reader(self._bag, lambda _: None)  # damage is reported when the whole bag is read
            first = next(ahead.decoded((topics.CONFIGURATION,)), None)
            if first is not None and isinstance(first.message, Configuration):
                name = first.message.domain
        domain = find_domain(name)
        return domain.load_categories() if domain.knows_categories else None

    def _recorded_preset(self, path: Path) -> str:
        preset = self._bag.custom_data.get("preset")
        if preset is None and path.is_dir():
            try:
                preset = RunFolder(path).read_config()["settings"].get("preset")
            except (StorageError, KeyError, AttributeError):
                preset = None  # another bag than that of a run's folder
        return preset or RECORDED


def _stamp(message: Message) -> int:
    stamp: int = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
    return stamp


class _Unanswered:
    """Counts requests to models without a recorded reply."""

    def __init__(self) -> None:
        self._roles: Counter[str] = Counter()

    def take(self, message: Message) -> None:
        if isinstance(message, ModelCall) and message.error.code == ErrorCode.MODEL_NOT_RECORDED:
            self._roles[message.role] += 1

    def notes(self) -> Iterator[str]:
        for role, count in self._roles.items():
            yield (
                f"of the questions to the {role}, {count} had no recorded reply, since they were not asked then: "
                "model.on_failure says who answered instead; give a model, --set model=..."
            )
