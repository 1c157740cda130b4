"""The `stma` command: parses the command line, runs the subcommand, and prints errors in one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stma_ros.apps.command_line import Command, make_parser
from stma_ros.apps.interrupts import handle_interrupts
from stma_ros.types.renamed import RENAMED

# Subcommands import slow modules themselves, so that `stma --help` answers at once.

EXIT_FAILED = 1
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line.

    Args:
        arguments: of a program that calls this; None = those of the process, whose signals are handled then.

    Returns:
        The exit status: 0 everything ran to its end, 1 something crashed or is missing, 2 the command is not possible
        as given, 130 interrupted.
    """
    given = sys.argv[1:] if arguments is None else arguments
    if given and (renamed := RENAMED.get(f"stma {given[0]}")):
        print(f"error: `stma {given[0]}` is called `{renamed}` now", file=sys.stderr)
        return EXIT_REFUSED
    options = make_parser(COMMANDS).parse_args(given)
    if arguments is None:
        handle_interrupts(_ENDINGS.get(options.command, "ending"))
    from stma_ros.apps.discovery_option import apply_discovery
    from stma_ros.types.errors import (
        ConfigurationError,
        MissingDependencyError,
        StmaError,
        StorageError,
        TaskNotUnderstoodError,
    )

    try:
        if "discovery" in options:
            apply_discovery(options.discovery, uses_ros=_uses_ros(options))
        command: Command = options.command
        return command(options)
    except (ConfigurationError, MissingDependencyError, StorageError, TaskNotUnderstoodError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except StmaError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED


def _uses_ros(options: argparse.Namespace) -> bool:
    """Whether the options start ROS nodes or subscribe to topics."""
    if "suite" in options:
        from stma_ros.apps.measurements import ROS_MEASUREMENTS

        return bool(options.runtime == "ros" or options.suite in ROS_MEASUREMENTS)
    if "runtime" in options:
        return bool(options.runtime == "ros")
    return bool(getattr(options, "publish", True) and getattr(options, "topics", True))


def _demo(options: argparse.Namespace) -> int:
    from stma_ros.apps.demo import demo
    from stma_ros.apps.settings import read_assignments

    values = read_assignments(options.assignments).with_world_options()
    values.refuse_all_but_world("demo")
    given = _given(options, "world")
    return demo(**given, seed=options.seed, out=options.out, world_options=values.world)


def _run(options: argparse.Namespace) -> int:
    from stma_ros.agents.registry import load_registry

    agents = load_registry(options.registry)
    if options.list:
        from stma_ros.apps.agent_list import list_agents

        return list_agents(options.world, agents)
    from stma_ros.apps.run import run
    from stma_ros.apps.session.session import DEFAULT_WORLD, SessionSpec
    from stma_ros.apps.settings import read_assignments
    from stma_ros.worlds.registry import world_offer

    values = read_assignments(options.assignments, agents).with_world_options()
    values.refuse_plain("run")
    given = _given(options, "preset", "world")
    world = given.get("world", DEFAULT_WORLD)
    given.setdefault("preset", agents.default_for(world_offer(world, values.world)))
    overrides = dict(values.components)
    if options.memory is not None:  # absolute: nodes may run elsewhere
        memory = {"memory_dir": str(options.memory.absolute())}
        overrides["spatial_memory"] = {**overrides.get("spatial_memory", {}), **memory}
    spec = SessionSpec(
        options.runtime,
        overrides=overrides,
        world_options=values.world,
        models=values.models,
        recording=values.recording,
        registry=options.registry,
        **given,
    )
    scene = options.scene
    if Path(scene).is_file():  # absolute, too
        scene = str(Path(scene).absolute())
    return run(spec, options.task, options.max_commands, scene, options.seed, options.out)


def _ask(options: argparse.Namespace) -> int:
    from stma_ros.apps.ask import ask

    return ask(options.memory, options.question, options.pictures)


def _experiences(options: argparse.Namespace) -> int:
    from stma_ros.apps.experiences import experiences

    return experiences(options)


def _bench(options: argparse.Namespace) -> int:
    from stma_ros.apps.measurements import MEASUREMENTS

    if options.suite in MEASUREMENTS:
        from stma_ros.apps.measure import measure

        return measure(options)
    from stma_ros.apps.bench import bench

    return bench(options)


def _detect(options: argparse.Namespace) -> int:
    from stma_ros.apps.detect import detect

    return detect(options.network, options.pictures, options.out)


def _train(options: argparse.Namespace) -> int:
    from stma_ros.apps.training.command import train

    return train(
        options.folder, options.flats, options.images, options.regions, options.seed, options.threads
    )


def _plot(options: argparse.Namespace) -> int:
    from stma_ros.apps.plot import plot

    return plot(options.results, options.out, options.format)


def _scene(options: argparse.Namespace) -> int:
    from stma_ros.apps.scene import Outputs, show_scene

    return show_scene(
        options.source, options.rooms, Outputs(options.draw, options.glb, options.save, options.habitat)
    )


def _walk(options: argparse.Namespace) -> int:
    from stma_ros.apps.settings import read_assignments
    from stma_ros.apps.walk import walk

    values = read_assignments(options.assignments).with_world_options()
    values.refuse_all_but_world("walk")
    return walk(options.scene, options.seed, options.seconds, values.world, options.out)


def _compare_engines(options: argparse.Namespace) -> int:
    from stma_ros.apps.compare_engines import compare_engines

    return compare_engines(options)


def _serve_model(options: argparse.Namespace) -> int:
    from stma_ros.apps.serve_model import serve
    from stma_ros.testing.model_server.misbehaviour import read_misbehaviour
    from stma_ros.testing.model_server.server import ServerOptions

    misbehaviour = read_misbehaviour(options.misbehave, options.seed)
    return serve(options.host, options.port, ServerOptions(options.key, misbehaviour))


def _fetch_detector(options: argparse.Namespace) -> int:
    from stma_ros.apps.detectors.command import fetch_detector

    return fetch_detector(options.out, options.package)


def _replay(options: argparse.Namespace) -> int:
    from stma_ros.agents.registry import load_registry
    from stma_ros.apps.settings import read_assignments
    from stma_ros.apps.unused_options import PUBLISHED, RECORDED_RUN, REPLAYED, refuse_unused
    from stma_ros.replay.exact_replay import is_replayable
    from stma_ros.replay.replay_agent import Changes
    from stma_ros.ros.availability import require_ros
    from stma_ros.storage.bag.reader import Bag

    refuse_unused(options, PUBLISHED if options.publish else REPLAYED)
    if options.publish:
        require_ros()
        from stma_ros.apps.publish_bag import publish

        return publish(options.bag, **_given(options, *REPLAYED))
    agents = load_registry(options.registry)
    values = read_assignments(options.assignments, agents)
    values.refuse_recorded("replay")
    bag = Bag(options.bag)
    if is_replayable(bag):
        from stma_ros.apps.replay import replay_exactly

        refuse_unused(options, RECORDED_RUN)
        changes = Changes(options.preset or "", values.components, values.models)
        return replay_exactly(bag, changes, options.json, agents)
    from stma_ros.apps.replay_external import replay_external

    return replay_external(
        options.bag,
        options.mapping,
        options.ask,
        values.components,
        values.models,
        options.out,
        options.json,
        **_given(options, "preset"),
        agents=agents,
    )


def _score(options: argparse.Namespace) -> int:
    from stma_ros.agents.registry import load_registry
    from stma_ros.apps.score.command import Alternatives, Outputs, References, score
    from stma_ros.apps.settings import read_assignments

    agents = load_registry(options.registry)
    values = read_assignments(options.assignments, agents)
    values.refuse_recorded("score")
    return score(
        options.bags,
        References(options.truth, options.grid, options.questions),
        Alternatives(options.preset or (), values.components, values.models),
        Outputs(options.json, options.csv, options.html),
        options.detectors,
        agents,
    )


def _view(options: argparse.Namespace) -> int:
    from stma_ros.apps.view.command import view

    return view(options.bag, options.save, web=options.web, open_=not options.no_open)


def _doctor(options: argparse.Namespace) -> int:
    from stma_ros.apps.doctor.command import doctor
    from stma_ros.apps.settings import read_assignments
    from stma_ros.apps.unused_options import (
        BAG_CHECKED,
        MODEL_CHECKED,
        NO_BAG,
        NO_MODEL,
        NO_TOPICS,
        refuse_unused,
    )

    values = read_assignments(options.assignments)
    if options.bag is not None:
        from stma_ros.apps.doctor.bag import check_bag

        refuse_unused(options, BAG_CHECKED)
        return check_bag(options.bag, options.mapping)
    refuse_unused(options, NO_BAG)
    if options.model:
        from stma_ros.apps.doctor.models import check_models

        refuse_unused(options, MODEL_CHECKED)
        values.refuse_all_but_models("doctor")
        return check_models(values.models)
    refuse_unused(options, NO_MODEL)
    if not options.topics:
        refuse_unused(options, NO_TOPICS)
    return doctor(options.namespace if options.topics else None)


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Returns the options that were given; the called function has defaults for the others."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


COMMANDS: Mapping[str, Command] = {
    "demo": _demo,
    "run": _run,
    "ask": _ask,
    "experiences": _experiences,
    "bench": _bench,
    "replay": _replay,
    "score": _score,
    "view": _view,
    "plot": _plot,
    "detect": _detect,
    "train": _train,
    "scene": _scene,
    "walk": _walk,
    "compare-engines": _compare_engines,
    "serve-model": _serve_model,
    "fetch-detector": _fetch_detector,
    "doctor": _doctor,
}
"""The commands by their names on the command line."""

_TASK_ENDING = "ending the task, what was started for it, and the recording"
_ENDINGS: Mapping[Command, str] = {
    _demo: _TASK_ENDING,
    _run: _TASK_ENDING,
    _bench: "ending the episodes under way; those that are done keep their decision logs",
    _serve_model: "ending the server",
    _view: "ending the viewer",
}
"""Descriptions of the orderly end of a command, where it is not immediate."""

if __name__ == "__main__":
    sys.exit(main())
