"""`stma replay` of another robot's recording: maps it, remembers its objects and answers questions about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from stma_ros.agents.configured_agent import ConfiguredAgent, configure_agent
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, AgentRegistry
from stma_ros.agents.spec import Overrides
from stma_ros.apps.console import make_console, make_progress
from stma_ros.apps.external_files import ExternalFiles
from stma_ros.apps.folders import check_output, output_folder
from stma_ros.apps.recorded_run import write_results
from stma_ros.components.perception.sources import source_names
from stma_ros.models.settings import ModelConfig
from stma_ros.models.vision.networks import HOUSE, HOUSE_LIMIT
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.sensing.bag_frames import ExternalBagFrames, Tally
from stma_ros.sensing.bag_topics import choose_topics, recorded_types
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.carrier import is_mounted
from stma_ros.sensing.detectors.names import DETECTIONS, NETWORK, SEGMENTATION
from stma_ros.sensing.mapping_file import read_mapping
from stma_ros.sensing.topic_map import NO_DETECTIONS
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.files import write_atomically
from stma_ros.storage.memory_store import record_memory
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import configure

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

_OBJECTS_SHOWN = 40
_DAMAGES_SHOWN = 5
_END_TOLERANCE = 0.1  # [s] times are shown with one decimal
_PLACES = (words.ON, words.IN, words.IN_ROOM)


@dataclass(frozen=True)
class TimedQuestion:
    """A question. at: time in the recording [s]; None = its end."""

    text: str
    at: float | None

    @classmethod
    def read(cls, text: str) -> TimedQuestion:
        """Reads "the red mug", or "@12.5 the red mug" for the knowledge after 12.5 s.

        Raises:
            ConfigurationError: no time follows an @.
        """
        timed = re.fullmatch(r"@(\d+(?:\.\d*)?)s?\s+(.+)", text.strip())
        if timed is None and text.lstrip().startswith("@"):
            raise ConfigurationError(f'--ask {text!r}: after @ comes a time in seconds ("@12.5 the red mug")')
        return cls(timed[2], float(timed[1])) if timed else cls(text.strip(), None)


def replay_external(
    path: Path,
    mapping: Path | None,
    questions: Sequence[str] = (),
    overrides: Overrides | None = None,
    models: Mapping[str, Any] | None = None,
    out: Path | None = None,
    json_file: Path | None = None,
    preset: str = DEFAULT_PRESET,
    agents: AgentRegistry = AGENTS,
) -> int:
    """The subcommand, for another robot's recording.

    Args:
        path: of the bag.
        mapping: YAML file that assigns topics.
        questions: asked of the memory, as TimedQuestion.read reads them.
        overrides: settings by component.
        models: settings of models.settings.
        out: folder for the results.
        json_file: receives the summary.
        preset: of the agent.
        agents: the registry in which the preset is looked up.

    Returns:
        The exit status: 1 where no frame could be made of the bag, or a model that was asked never answered, or not any
            more at the end.

    Raises:
        ConfigurationError: a bag without a required topic, or without the detections that perception is to take.
        StorageError: a bag that cannot be read.
    """
    check_output("--json", json_file)
    timed_questions = [TimedQuestion.read(text) for text in questions]
    asked = configure(RoleModelConfig, models or {}, "model")
    agent = configure_agent(preset, overrides, models=asked, agents=agents)
    _check_settings(agent, preset, overrides)
    about = read_mapping(mapping)
    bag = Bag(path)
    chosen = choose_topics(bag, about)
    chosen.check(recorded_types(bag), is_mounted(bag, chosen, about), path)
    detections = chosen.detections or chosen.class_mask or about.detections
    uses_detections = DETECTIONS in source_names(agent.configs["perception"].source)
    if uses_detections and not detections:
        raise ConfigurationError(
            f"perception.source={DETECTIONS}, but {path} has no detections: {NO_DETECTIONS}"
        )
    frames = ExternalBagFrames(bag, chosen, about)

    console = make_console()
    folder = output_folder(out, "replay")
    settings = {
        "command": "replay",
        "bag": str(path),
        "preset": preset,
        "overrides": overrides,
        "models": models,
    }
    folder.write_config({**settings, "topics": chosen.names, "mapping": about.model_dump(mode="json")})
    files = ExternalFiles(folder.path)
    with folder.removed_if_refused() as begin, ExitStack() as stack:
        recorder = MessageRecorder(stack.enter_context(BagWriter(folder.path)))
        record_memory(agent.memory_dir, folder.path)  # before it is loaded, and changed
        agent_replay = PassiveAgent(agent, (recorder, files), _models(asked, folder, stack), files.note)
        stack.callback(agent_replay.close)
        begin()
        progress = stack.enter_context(make_progress(console))
        shown = _with_progress(frames, bag.topics[chosen.depth].count, progress)
        answers = _run(agent_replay, shown, timed_questions, files)
    files.write(answers)
    if detections and not uses_detections:
        frames.tally.notes[
            f"the detections of {detections} are not used: --set perception.source={DETECTIONS} takes them"
        ] = None
    perception = agent.configs["perception"]
    if NETWORK in source_names(perception.source) and perception.network == HOUSE:
        frames.tally.notes[
            f"perception.network={HOUSE} knows the things {HOUSE_LIMIT}: name a network that was trained on real "
            "pictures (docs/howto/detectors.md)"
        ] = None
    if perception.source == SEGMENTATION:
        for kind, remedy in chosen.unrecognised(bool(about.segmentation_labels)).items():
            frames.tally.notes[f"no {kind} in the bag: {remedy}"] = None
    summary = _summary(path, chosen.names, frames.tally, files, answers)
    _print_summary(console, summary, files)
    console.print(
        f"in {folder.path}: {', '.join(files.names)}", markup=False, highlight=False, soft_wrap=True
    )
    write_results(folder, summary, console)
    if json_file is not None:
        write_atomically(json_file, json.dumps(summary, indent=2) + "\n")
    return 0 if files.keyframes and not files.unanswered else 1


def _check_settings(agent: ConfiguredAgent, preset: str, overrides: Overrides | None) -> None:
    """Raises ConfigurationError for settings of components that take no part."""
    for name in (*agent.matched.agent.presets[preset].settings, *(overrides or {})):
        if name in agent.wiring.components and name not in agent.wiring.sensing:
            raise ConfigurationError(
                f"the {name} takes no part where a recording is only watched, so nothing can be set of it; there are: "
                f"{', '.join(agent.wiring.sensing)} (--preset and --set)"
            )


def _models(config: ModelConfig, folder: RunFolder, stack: ExitStack) -> ModelPool | None:
    if not config.model_roles:
        return None
    from stma_ros.models.model_pool import ModelPool  # a slow import, for runs with models only

    models = ModelPool(config)
    stack.callback(models.close)
    models.start(folder.path)
    return models


def _with_progress(frames: ExternalBagFrames, count: int, progress: Progress) -> Iterator[CameraFrame]:
    bar = progress.add_task("", total=count, rate="depth images")
    for frame in frames:
        progress.update(bar, completed=frames.tally.seen)
        yield frame


def _run(
    agent_replay: PassiveAgent,
    frames: Iterator[CameraFrame],
    questions: Sequence[TimedQuestion],
    files: ExternalFiles,
) -> list[dict[str, Any]]:
    """Processes every frame; answers each question when its time has come."""
    waiting = sorted((item for item in questions if item.at is not None), key=lambda item: item.at or 0.0)
    at_the_end = [item for item in questions if item.at is None]
    answers = []
    begin: float | None = None
    for frame in frames:
        now = frame.stamp.seconds
        begin = now if begin is None else begin
        while waiting and now - begin > (waiting[0].at or 0.0):
            question = waiting.pop(0)
            answers.append(files.answer(question.text, agent_replay.ask(question.text)))
        agent_replay.take(frame)
    agent_replay.finish()
    end = files.seconds(agent_replay.reached) if begin is not None else 0.0
    for question in (*waiting, *at_the_end):
        answer = files.answer(question.text, agent_replay.ask(question.text))
        if question.at is not None and question.at > end + _END_TOLERANCE:
            answer["note"] = (
                f"@{question.at:g} is after the recording's end ({end:.1f} s); answered as of its end"
            )
        answers.append(answer)
    return answers


def _summary(
    path: Path,
    names: Mapping[str, str],
    tally: Tally,
    files: ExternalFiles,
    answers: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    return {
        "bag": str(path),
        "topics": dict(names),
        "depth_images": tally.seen,
        "frames": tally.frames,
        "skipped": dict(tally.skipped.most_common()),
        "not_used": files.errors,
        "incomplete": files.incomplete,
        "unanswered": files.unanswered,
        "damages": [str(damage) for damage in tally.damages],
        "notes": list(tally.notes),
        "keyframes": files.keyframes,
        "objects": len(files.graph.objects),
        "rooms": len(files.graph.rooms),
        "frontiers": len(files.frontiers.frontiers),
        "answers": list(answers),
    }


def _print_summary(console: Console, summary: Mapping[str, Any], files: ExternalFiles) -> None:
    def say(text: str, style: str = "") -> None:
        console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)

    say(
        f"{summary['frames']} of {summary['depth_images']} depth images mapped, {summary['keyframes']} keyframes, "
        f"{summary['objects']} things in {summary['rooms']} rooms, {summary['frontiers']} frontiers"
    )
    for reason, count in summary["skipped"].items():
        say(f"  {count} left out: {reason}", "yellow")
    for reason, count in summary["not_used"].items():
        say(f"  {count} could not be used, the first because {reason}", "yellow")
    for reason, count in summary["incomplete"].items():
        say(f"  {count} may lack detections, the first because {reason}", "yellow")
    if summary["frames"] and not summary["keyframes"]:
        say("  no keyframe could be used: no thing was looked for", "red")
    for role, reason in summary["unanswered"].items():
        say(f"  the model of the {role.replace('_', ' ')} {reason}", "red")
    damages = summary["damages"]
    for text in (*damages[:_DAMAGES_SHOWN], *summary["notes"]):
        say(f"  {text}", "yellow")
    if len(damages) > _DAMAGES_SHOWN:
        say(f"  and {len(damages) - _DAMAGES_SHOWN} more damaged places", "yellow")
    if files.graph.objects:
        console.print(_object_table(files))
    for answer in summary["answers"]:
        say(f"\n{answer['question']}", "bold")
        if "note" in answer:
            say(f"  {answer['note']}", "yellow")
        say(f"  {answer['text']}")
        for sighting in answer["sightings"]:
            last, picture = sighting["last_seen"]["seconds"], "no picture"
            if sighting["picture"]:
                picture = f"{sighting['picture']} shows it at {sighting['pictured_at']['seconds']:.1f} s"
            say(f"  {sighting['object']} {sighting['place']}, last seen at {last:.1f} s; {picture}")


def _object_table(files: ExternalFiles) -> Table:
    graph = files.graph
    table = Table(title="things seen")
    for column in ("id", "kind", "place"):
        table.add_column(column)
    for column in ("x [m]", "y [m]", "z [m]", "first seen [s]", "last seen [s]"):
        table.add_column(column, justify="right")
    for item in graph.objects[:_OBJECTS_SHOWN]:
        place = ", ".join(
            f"{'in' if fact.predicate == words.IN_ROOM else fact.predicate} {fact.object}"
            for fact in graph.relations
            if fact.subject == item.id and fact.predicate in _PLACES
        )
        numbers = (item.center.x, item.center.y, item.center.z)
        times = (files.seconds(item.first_seen), files.seconds(item.last_seen))
        table.add_row(
            item.id, item.category, place, *(f"{n:.2f}" for n in numbers), *(f"{t:.1f}" for t in times)
        )
    if len(graph.objects) > _OBJECTS_SHOWN:
        table.caption = f"and {len(graph.objects) - _OBJECTS_SHOWN} more in scene_graph.json"
    return table
