"""Computes all scores of one bag in one pass over its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stma_ros.evaluation.metrics import AVERAGE_SCORE
from stma_ros.evaluation.offline.decision_agreement import Agreement
from stma_ros.evaluation.offline.decisions import Decision, DecisionCollector, DecisionPoint
from stma_ros.evaluation.offline.graph_series import GraphSeries, GraphStep
from stma_ros.evaluation.offline.grid_score import GridScore, score_grid
from stma_ros.evaluation.offline.latency import Latency, LatencyMeter
from stma_ros.evaluation.offline.measures import (
    Series,
    Share,
    agreement_shares,
    answer_shares,
    graph_scores,
    map_scores,
    seen_scores,
    series,
)
from stma_ros.evaluation.offline.questions import Marked
from stma_ros.evaluation.seen_things import score_seen_things
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskResult, TaskStatus
from stma_ros.types.standard import OccupancyGrid
from stma_ros.types.truth import GroundTruth


@dataclass(frozen=True)
class Reference:
    """The ground truth and the reference map; None = not given. Without a ground truth, a simulator's own in the bag is
    used."""

    truth: GroundTruth | None = None
    grid: OccupancyGrid | None = None


@dataclass(frozen=True)
class BagScore:
    """The scores of a bag. values, shares and series: by the keys of the results; missing: the scores that are missing,
    and the inputs that they need."""

    bag: str
    preset: str
    duration: float
    values: Mapping[str, float]
    shares: Mapping[str, Share]
    series: Mapping[str, Series] = field(default_factory=dict)
    latencies: Mapping[tuple[str, str], Latency] = field(default_factory=dict)
    model_latencies: Mapping[str, Latency] = field(default_factory=dict)
    answers: Sequence[Marked] = ()
    agreement: Agreement | None = None
    missing: tuple[str, ...] = ()


class BagScorer:
    """Takes the messages of a recorded or replayed run in their order."""

    def __init__(
        self,
        reference: Reference,
        start_ns: int,
        *,
        replayed: bool = False,
        knowledge: CategoryKnowledge | None = None,
    ) -> None:
        """start_ns: the bag's first log time. replayed: whether log times are those of the recording, and not times of
        this run. knowledge: of synonyms of the things' names."""
        self._reference = reference
        self._knowledge = knowledge
        self._graphs = GraphSeries(reference.truth)
        self._maps: list[tuple[int, GridScore]] = []
        self._map_count = 0
        self._decisions = DecisionCollector()
        self._latency = None if replayed else LatencyMeter()
        self._results: dict[str, TaskResult] = {}
        self._game: GroundTruth | None = None
        self._start_ns = self._end_ns = start_ns

    def take(self, topic: str, time_ns: int, message: Message) -> None:
        self._end_ns = max(self._end_ns, time_ns)
        self._graphs.take(time_ns, message)
        self._decisions(topic, message)
        if self._latency is not None:
            self._latency.take(topic, time_ns, message)
        match message:
            case OccupancyGrid():
                self._map_count += 1
                if self._reference.grid is not None:
                    self._maps.append((time_ns, score_grid(message, self._reference.grid)))
            case TaskResult():
                self._results[message.task_id] = message
            case GroundTruth() if message.max_score > 0:
                self._game = message
            case _:
                pass

    @property
    def decisions(self) -> Mapping[DecisionPoint, Decision]:
        return self._decisions.decisions()

    def finish(
        self,
        bag: str,
        preset: str,
        answers: Sequence[Marked] | None = None,
        agreement: Agreement | None = None,
        notes: Sequence[str] = (),
    ) -> BagScore:
        """Returns the scores. answers: None where no questions were asked; notes: other problems of the bag."""
        steps = self._graphs.finish()
        values: dict[str, float] = {}
        shares: dict[str, Share] = {}
        tasks = self._task_scores() if self._latency is not None else {}
        for part in (tasks, graph_scores(steps), map_scores(self._maps)):
            values |= {key: value for key, value in part.items() if not isinstance(value, tuple)}
            shares |= {key: value for key, value in part.items() if isinstance(value, tuple)}
        if self._graphs.last is not None:
            shares |= seen_scores(score_seen_things(*self._graphs.last, self._knowledge))
        shares |= answer_shares(answers or ())
        shares |= agreement_shares(agreement)
        meter = self._latency
        if meter is not None and (step := meter.step()) is not None:
            values["latency_per_step"] = step.p50
        return BagScore(
            bag,
            preset,
            (self._end_ns - self._start_ns) / 1e9,
            values,
            shares,
            dict(series(steps, self._maps, self._start_ns)),
            {} if meter is None else meter.components(),
            {} if meter is None else meter.models(),
            tuple(answers or ()),
            agreement,
            (*notes, *(() if meter is None else self._missing(meter, answers, steps))),
        )

    def _task_scores(self) -> dict[str, float | Share]:
        scores: dict[str, float | Share] = {}
        planned = {point.task_id for point in self.decisions}  # none in a passive run
        results = [result for task_id, result in self._results.items() if task_id in planned]
        if results:
            done = sum(result.status == TaskStatus.SUCCEEDED for result in results)
            unverified = sum(result.status == TaskStatus.UNVERIFIED for result in results)
            scores["claimed_success"] = Share(done, len(results))
            scores["unverified_rate"] = Share(unverified, len(results))
            scores["mean_steps"] = sum(result.commands for result in results) / len(results)
        if self._game is not None:
            scores[AVERAGE_SCORE] = 100 * self._game.score / self._game.max_score
        return scores

    def _missing(
        self, latency: LatencyMeter, answers: Sequence[Marked] | None, steps: Sequence[GraphStep]
    ) -> Iterator[str]:
        """Yields the missing scores of a recorded run."""
        if not self._graphs.graphs:
            yield "no scene graph is in it to be scored: only runs of this agent with a camera have one"
        elif not self._graphs.has_truth:
            yield "its scene graph is not scored: the bag holds no ground truth; give --truth FILE"
        if steps and steps[-1].score.objects.said and not steps[-1].score.names:
            yield (
                "nothing of the scene graph is where the truth has it: does the truth's frame lie elsewhere than the "
                "map's, or is it another place? Give the key transform in the truth's file"
            )
        elif self._graphs.other_frame:
            yield (
                f"the ground truth is in the frame {self._graphs.other_frame!r}, the scene graph in "
                f"{self._graphs.frame_id!r}: give the key transform in the truth's file, or let frame be the map's"
            )
        if self._map_count and self._reference.grid is None:
            yield "its map is not scored: give a reference, --grid FILE"
        if not self._map_count and self._reference.grid is not None:
            yield "no map is in it: there is nothing to compare with --grid"
        if answers is None:
            yield "nothing was asked of its memory: give --questions FILE"
        if latency.is_simulated and not self.decisions:
            yield "no latencies: a recording that was watched has none, its log times are those of the robot's own"
        elif latency.is_simulated:
            yield (
                "no latencies: its log times are those of the simulation, as --runtime local writes them; record "
                "with --runtime ros"
            )
        elif not latency.components():
            yield "no latencies: the bag holds no journal; record the topic journal"
