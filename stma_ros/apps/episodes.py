"""Runs the episodes of a benchmark, in one or several processes, with the same result."""

from __future__ import annotations

import atexit
import multiprocessing
import shutil
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker

from stma_ros.apps.interrupts import starting_without_interrupts
from stma_ros.apps.session.session import Session, SessionSpec
from stma_ros.evaluation.action_validity import DISALLOWED_DONE, disallowed_done
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.metrics import (
    AVERAGE_SCORE,
    MEMORY,
    TRIAL_1_SCORE,
    TRIAL_1_SUCCESS,
    TRIALS,
    EpisodeRecord,
)
from stma_ros.evaluation.model_use import measures_of, shares_of
from stma_ros.evaluation.suite import (
    Episode,
    Failure,
    FollowingEpisode,
    PhrasedEpisode,
    Score,
    Suite,
    episode_name,
)
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from stma_ros.types.planning import TaskResult, TaskStatus

Opener = Callable[[SessionSpec, RunFolder, bool], AbstractContextManager[Session]]
"""Opens sessions, as `open_session.open_session` does; picklable."""

CRASHED = "CRASHED"
"""The status of an episode whose task had no result."""

_CRASH_FILE = "crash.txt"
_NOT_OPENED = "not made"  # the group of an episode that could not be made
_DIED = "its process died (out of memory, or a crash in native code)"


@dataclass(frozen=True)
class Job:
    """One episode for one agent; picklable. The process that runs the episode makes it, as that takes time, too."""

    spec: SessionSpec
    suite: Suite
    seed: int | None
    index: int
    record: bool = False

    def episode(self) -> Episode:
        return self.suite.episode(self.seed, self.index)


def episode_folder(bench: RunFolder, job: Job, episode: Episode) -> RunFolder:
    """Returns the folder for the decision log and, if it is recorded, the bag."""
    return RunFolder(bench.path / job.spec.preset / episode_name(episode.index, episode.group))


def make_episode(bench: RunFolder, job: Job) -> Episode | EpisodeRecord:
    """Returns the job's episode, or the record of a crash when it cannot be made. Raises as EpisodeRunner.run does."""
    begun = time.perf_counter()
    try:
        return job.episode()
    except (ConfigurationError, MissingDependencyError):
        raise
    except Exception as error:  # noqa: BLE001 - as in EpisodeRunner.run
        folder = bench.path / job.spec.preset / episode_name(job.index, _NOT_OPENED)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _CRASH_FILE).write_text(traceback.format_exc(), encoding="utf-8")
        text = f"{type(error).__name__}: {error}"
        return EpisodeRecord(
            preset=job.spec.preset,
            index=job.index,
            group=_NOT_OPENED,
            scene="",
            seed=0,
            task="",
            max_commands=0,
            optimal_steps=0,
            status=CRASHED,
            failure=Failure.ERROR,
            detail=text,
            steps=0,
            run_time=time.perf_counter() - begun,
            error=text,
        )


class EpisodeRunner:
    """Runs episodes in this process, and reuses the session while the spec stays the same."""

    def __init__(self, folder: RunFolder, opener: Opener) -> None:
        """folder: receives the nodes' output when episodes are not recorded separately."""
        self._folder = folder
        self._opener = opener
        self._stack = ExitStack()
        self._session: Session | None = None
        self._spec: SessionSpec | None = None

    def run(self, job: Job) -> EpisodeRecord:
        """Runs an episode; returns the record of its best trial. A crash is a record, too.

        Raises:
            ConfigurationError: the settings are wrong for all episodes.
            MissingDependencyError: a library is missing for all episodes.
        """
        episode = make_episode(self._folder, job)
        if isinstance(episode, EpisodeRecord):
            return episode
        folder = episode_folder(self._folder, job, episode)
        folder.path.mkdir(parents=True, exist_ok=True)
        drawn = job.spec.drawn(episode.scene, episode.seed)
        log, traces = DecisionLog(), [EpisodeTrace(drawn)]
        begun = time.perf_counter()
        try:
            session = self._open(job, episode, folder)
            taps = log, lambda topic, message: traces[-1](topic, message)
            session.start_episode(episode.scene, episode.seed, taps, folder)
            if isinstance(episode, FollowingEpisode):
                session.run_task(episode.first_text, episode.max_commands)
                episode = episode.follow(traces[-1])
                traces = [EpisodeTrace(drawn)]
            begun = time.perf_counter()  # loading the world is not the agent's time
            trials = _best_trial(session, episode, job.spec.trials, traces)
            run_time = time.perf_counter() - begun
            if trials[-1][0].status is TaskStatus.CANCELED:  # canceled by Ctrl-C on the ROS graph
                raise KeyboardInterrupt
            memory = session.memory()
        except (ConfigurationError, MissingDependencyError):
            raise
        except Exception as error:  # noqa: BLE001 - a crash of one episode must not stop the others
            self.close()
            (folder.path / _CRASH_FILE).write_text(traceback.format_exc(), encoding="utf-8")
            crash = f"{type(error).__name__}: {error}"
            return replace(_crashed(job, episode, crash, time.perf_counter() - begun), configuration=drawn)
        finally:
            log.write(folder.decisions)
            if job.record:
                self.close()
        result, score = max(trials, key=lambda trial: _trial_rank(trial[1]))
        asked = [call for trace in traces for call in trace.model_calls]
        measures = {**score.measures, MEMORY: memory, **measures_of(asked)}
        if job.spec.trials > 1:
            first = trials[0][1]
            measures |= {TRIAL_1_SUCCESS: 100.0 * first.success, TRIALS: float(len(trials))}
            if AVERAGE_SCORE in first.measures:
                measures[TRIAL_1_SCORE] = first.measures[AVERAGE_SCORE]
        shares = {
            **score.shares,
            **shares_of(asked),
            DISALLOWED_DONE: _summed(map(disallowed_done, traces)),
        }
        score = replace(score, measures=measures, shares=shares)
        record = _record(job, episode, result.status.name, score, result.commands, run_time)
        return replace(record, memory_actions=result.memory_actions, configuration=drawn)

    def close(self) -> None:
        """Ends the open session, if there is one."""
        self._session = self._spec = None
        self._stack.close()

    def _open(self, job: Job, episode: Episode, episode_folder: RunFolder) -> Session:
        # A bag holds one episode.
        spec = job.spec.of_episode(episode.scene, episode.seed) if job.record else job.spec
        if self._session is None or self._spec != spec:
            self.close()
            folder = episode_folder if job.record else self._folder
            self._session = self._stack.enter_context(self._opener(spec, folder, job.record))
            self._spec = spec
        return self._session


def run_episodes(
    jobs: Sequence[Job], processes: int, folder: RunFolder, opener: Opener
) -> Generator[EpisodeRecord, None, None]:
    """Yields the record of every job as it finishes. Raises as EpisodeRunner.run does."""
    if processes == 1:
        runner = EpisodeRunner(folder, opener)
        try:
            for job in jobs:
                yield runner.run(job)
        finally:
            runner.close()
        return
    waiting = deque(jobs)
    while waiting:
        suspects = yield from _run_in_pool(waiting, processes, folder, opener)
        # When a process dies, the pool loses all running episodes; run alone, the guilty one shows.
        for job in suspects:
            episode = make_episode(folder, job)
            if isinstance(episode, EpisodeRecord):
                yield episode
                continue
            shutil.rmtree(episode_folder(folder, job, episode).path, ignore_errors=True)
            if (yield from _run_in_pool(deque([job]), 1, folder, opener)):
                yield _crashed(job, episode, _DIED, 0.0)


_runner: EpisodeRunner | None = None  # of a worker process


def _start_worker(folder: RunFolder, opener: Opener) -> None:
    global _runner
    _runner = EpisodeRunner(folder, opener)
    atexit.register(_runner.close)  # while the modules that it needs are there


def _work(job: Job) -> EpisodeRecord:
    assert _runner is not None
    return _runner.run(job)


def _run_in_pool(
    waiting: deque[Job], processes: int, folder: RunFolder, opener: Opener
) -> Generator[EpisodeRecord, None, list[Job]]:
    """Takes jobs from `waiting`; returns those that were running when a process died (empty = all are done)."""
    context = multiprocessing.get_context("spawn")
    under_way: dict[Future[EpisodeRecord], Job] = {}
    resource_tracker.ensure_running()  # its start would enable interrupts again
    pool = ProcessPoolExecutor(processes, context, _start_worker, (folder, opener))
    try:
        while waiting or under_way:
            while waiting and len(under_way) < processes:
                with starting_without_interrupts():
                    under_way[pool.submit(_work, waiting[0])] = waiting[0]
                waiting.popleft()
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                record = future.result()
                del under_way[future]
                yield record
    except BrokenProcessPool:
        return list(under_way.values())
    finally:
        if under_way:  # interrupted: these results are no longer needed
            for process in multiprocessing.active_children():
                process.terminate()
        pool.shutdown(cancel_futures=True)
    return []


def _best_trial(
    session: Session, episode: Episode, most: int, traces: list[EpisodeTrace]
) -> list[tuple[TaskResult, Score]]:
    """Returns the result of each trial of the episode's task, up to a success or the largest number. traces: receives
    one for each further trial."""
    trials: list[tuple[TaskResult, Score]] = []
    while True:
        result = session.run_task(episode.text, episode.max_commands)
        trials.append((result, episode.score(result, traces[-1])))
        if trials[-1][1].success or len(trials) == most:
            return trials
        traces.append(EpisodeTrace(traces[-1].configuration))
        session.retry()


def _summed(parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
    some, all_ = zip(*parts, strict=True)
    return sum(some), sum(all_)


def _trial_rank(score: Score) -> tuple[bool, float]:
    """Returns the key by which the best trial is selected."""
    return score.success, score.measures.get(AVERAGE_SCORE, 0.0)


def _record(
    job: Job, episode: Episode, status: str, score: Score, steps: int, run_time: float, error: str = ""
) -> EpisodeRecord:
    return EpisodeRecord(
        preset=job.spec.preset,
        index=episode.index,
        group=episode.group,
        scene=episode.scene,
        seed=episode.seed,
        task=episode.text,
        max_commands=episode.max_commands,
        optimal_steps=episode.optimal_steps,
        status=status,
        failure=score.failure,
        detail=score.detail,
        steps=steps,
        run_time=run_time,
        measures=score.measures,
        series=score.series,
        shares=score.shares,
        error=error,
        phrasing=episode.phrasing if isinstance(episode, PhrasedEpisode) else "",
    )


def _crashed(job: Job, episode: Episode, error: str, run_time: float) -> EpisodeRecord:
    return _record(job, episode, CRASHED, Score(Failure.ERROR, error), 0, run_time, error)
