"""The `stma` command: reads the command line, calls the subcommand, says errors in one line."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

# What takes time to import is imported by the subcommand that needs it: `stma --help` answers at once.

EXIT_FAILED = 1
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130

Command = Callable[[argparse.Namespace], int]

_SET = (
    "KEY is component.setting, world.option, model (what answers the roles) or model.setting or, plain, a setting of "
    "the benchmark; may be repeated"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line.

    Returns the exit status: 0 everything ran to its end, 1 something crashed or is missing, 2 the command is
    not possible as given, 130 interrupted.
    """
    options = make_parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, _terminate)
    from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StmaError, StorageError

    try:
        command: Command = options.command
        return command(options)
    except (ConfigurationError, MissingDependencyError, StorageError) as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except StmaError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED


def _terminate(number: int, frame: FrameType | None) -> None:
    """The way out leads through every context manager: nothing that was started stays behind."""
    raise SystemExit(128 + number)


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="stma",
        description="Give tasks to a mobile manipulator with a spatio-temporal memory, and measure it.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(
        name: str, command: Command, about: str, examples: Sequence[str], notes: str = ""
    ) -> argparse.ArgumentParser:
        listed = "\n".join(f"  stma {name} {example}".rstrip() for example in examples)
        added: argparse.ArgumentParser = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.{notes and ' ' + notes}",
            epilog=f"examples:\n{listed}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(command=command)
        return added

    demo = add(
        "demo",
        _demo,
        "watch a simulated robot do three household tasks in a flat it does not know",
        ["", "--seed 3", "--seed 3 --out my_demo"],
    )
    _add_world(demo, "house, the only one with a demo yet")
    _add_seed(demo, "flat and targets")
    _add_out(demo, "demo")

    run = add(
        "run",
        _run,
        "give the robot one task, or let it play a text game",
        [
            '--task "find a mug"',
            '--task "find a mug" --runtime local --seed 4',
            '--task "find a mug" --memory my_home',
            '--task "put all books in the box" --scene my_flat.json',
            '--task "find a mug" --set spatial_memory.resolution=0.1 --set world.width=640',
            "--world textworld --scene level_2 --seed 1000 --max-commands 50",
            '--task "find a mug" --set model=openai:qwen3-vl@http://localhost:8000/v1',
            "--world textworld --set model=recorded:runs/run-1",
        ],
    )
    run.add_argument(
        "--task",
        metavar="TEXT",
        help="what to do, in plain English (default: what the scene asks for, as a text game does)",
    )
    run.add_argument("--preset", metavar="P", help="which agent (default: full)")
    _add_world(run, "house or textworld")
    run.add_argument(
        "--scene",
        default="",
        metavar="S",
        help="scene of the world: flat_7, or the file of a saved flat; of textworld level_1 to level_4, or the file "
        "of a game (default: the flat of the seed, level_1)",
    )
    _add_seed(run, "scene")
    run.add_argument(
        "--max-commands",
        type=_count,
        default=0,
        metavar="N",
        help="skills it may execute (default: no limit)",
    )
    run.add_argument(
        "--memory",
        type=Path,
        metavar="DIR",
        help="remember the home from run to run, in this folder (default: forget it)",
    )
    _add_runtime(run, "ros")
    _add_set(run)
    _add_out(run, "run")

    bench = add(
        "bench",
        _bench,
        "run a benchmark suite and print its table",
        [
            "rearrangement --set tasks=find --episodes 50 --seed 1",
            "rearrangement --episodes 20 --jobs 2 --json results.json",
            "rearrangement --set noise=true --set changes=2 --episodes 40",
            "rearrangement --episodes 5 --runtime ros --record",
            "perception --set noise=true --episodes 10",
            "mapping --runtime ros --episodes 2",
            "cooking --jobs 2",
            "cooking --set level=4 --episodes 50 --seed 1000 --jobs 2",
            "prompts --preset stma --preset react --jobs 2",
            "retrieval --set largest=100000",
        ],
        "Exit status 0 when every episode ran to its end, solved or not.",
    )
    bench.add_argument(
        "suite", metavar="SUITE", help="rearrangement, perception, mapping, cooking, prompts or retrieval"
    )
    bench.add_argument(
        "--preset", action="append", metavar="P", help="which agent; may be repeated (default: full)"
    )
    _add_set(bench)
    bench.add_argument(
        "--episodes",
        type=_positive,
        metavar="N",
        help="in all (default: 50; cooking: 8 of each level; prompts: 5)",
    )
    bench.add_argument(
        "--seed",
        type=_count,
        metavar="N",
        help="seed of the suite; 0 to 99 are for reporting, develop on 1000 and above "
        "(default: 0; cooking: the 32 inferred games)",
    )
    _add_runtime(bench, "local")
    bench.add_argument("--jobs", type=_positive, default=1, metavar="J", help="processes (default: 1)")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write rows and episodes there as well")
    bench.add_argument("--record", action="store_true", help="keep a bag of every episode")
    _add_out(bench, "bench-SUITE")

    plot = add(
        "plot",
        _plot,
        "draw figures of benchmark results: the score over the commands, success over noise",
        ["cooking.json", "quiet.json noise_10.json noise_20.json --out figures"],
    )
    plot.add_argument("results", nargs="+", type=Path, metavar="FILE", help="what `stma bench --json` wrote")
    plot.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder for the figures (default: this one)"
    )
    plot.add_argument("--format", choices=("svg", "png"), default="svg", help="default: svg")

    flat = add(
        "flat",
        _flat,
        "say what is in a flat of the simulated house, and draw, export or save it",
        ["7", "7 --rooms 4 --draw flat.svg", "7 --glb flat.glb --save my_flat.json", "my_flat.json"],
    )
    flat.add_argument(
        "source", nargs="?", default="0", metavar="SEED|FILE", help="seed, or a saved flat (default: 0)"
    )
    flat.add_argument(
        "--rooms", type=_count, default=0, metavar="N", help="3 to 10 (default: as the seed draws it)"
    )
    flat.add_argument("--draw", type=Path, metavar="F.svg", help="draw it from above")
    flat.add_argument("--glb", type=Path, metavar="F.glb", help="export it as a 3D model")
    flat.add_argument("--save", type=Path, metavar="F.json", help="save it, to be loaded as a scene")

    serve = add(
        "serve-model",
        _serve_model,
        "serve a stand-in for a language model: rules behind the chat API of OpenAI, for tests and demos",
        [
            "",
            "--port 8400",
            "--misbehave too_many=0.1 --misbehave slow=0.05",
            "--misbehave all=0.02 --seed 1",
        ],
        "It reads the text of the prompts and nothing else.",
    )
    serve.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="address to listen at (default: 127.0.0.1)"
    )
    serve.add_argument(
        "--port", type=_count, default=8399, metavar="N", help="default: 8399; 0 = any that is free"
    )
    serve.add_argument(
        "--misbehave",
        action="append",
        default=[],
        metavar="KIND=RATE",
        help="share of the requests to answer badly: slow (by seconds=N), cut_off, hang_up, too_many, failing, "
        "invalid_json, wrong_schema, prose, disallowed or all; may be repeated",
    )
    serve.add_argument(
        "--key", default="", metavar="K", help="key that requests must come with (default: none)"
    )
    _add_seed(serve, "misbehaviour")

    doctor = add(
        "doctor",
        _doctor,
        "say what is installed, what is missing and what to do about it",
        [
            "",
            "--topics",
            "--topics --namespace robot_1",
            "--model --set model=openai:qwen3-vl@http://localhost:8000/v1",
        ],
        "Exit status 1 when something needed is missing.",
    )
    doctor.add_argument(
        "--topics", action="store_true", help="look for a running robot and what it publishes"
    )
    doctor.add_argument("--namespace", default="", metavar="NS", help="the robot's namespace (default: none)")
    doctor.add_argument(
        "--model", action="store_true", help="send each role's example to the model that --set names for it"
    )
    _add_set(doctor)
    return parser


def _add_world(parser: argparse.ArgumentParser, worlds: str) -> None:
    parser.add_argument("--world", metavar="W", help=f"which world: {worlds} (default: house)")


def _add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--seed", type=_count, default=0, metavar="N", help=f"seed of the {what} (default: 0)"
    )


def _add_runtime(parser: argparse.ArgumentParser, default: str) -> None:
    text = f"as a graph of ROS nodes, or in this process without ROS (default: {default})"
    parser.add_argument("--runtime", choices=("ros", "local"), default=default, help=text)


def _add_set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="assignments", help=_SET
    )


def _add_out(parser: argparse.ArgumentParser, name: str) -> None:
    text = f"folder for what the run leaves behind (default: the next free runs/{name}-N)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=text)


def _count(text: str) -> int:
    return _whole(text, 0)


def _positive(text: str) -> int:
    return _whole(text, 1)


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"wants a whole number, got {text!r}") from error
    if number < least:
        raise argparse.ArgumentTypeError(f"must be at least {least}, got {number}")
    return number


def _demo(options: argparse.Namespace) -> int:
    from stma_ros.apps.demo import demo

    return demo(**_given(options, "world"), seed=options.seed, out=options.out)


def _run(options: argparse.Namespace) -> int:
    from stma_ros.apps.run import run
    from stma_ros.apps.session import SessionSpec
    from stma_ros.apps.settings import read_assignments

    values = read_assignments(options.assignments)
    values.refuse_plain("run")
    given = _given(options, "preset", "world")
    overrides = dict(values.components)
    if options.memory is not None:  # absolute: nodes may run elsewhere
        memory = {"memory_dir": str(options.memory.absolute())}
        overrides["spatial_memory"] = {**overrides.get("spatial_memory", {}), **memory}
    spec = SessionSpec(
        options.runtime, overrides=overrides, world_options=values.world, models=values.models, **given
    )
    scene = options.scene
    if Path(scene).is_file():  # absolute, too
        scene = str(Path(scene).absolute())
    return run(spec, options.task, options.max_commands, scene, options.seed, options.out)


def _bench(options: argparse.Namespace) -> int:
    from stma_ros.evaluation.registry import MEASUREMENTS

    if options.suite in MEASUREMENTS:
        from stma_ros.apps.measure import measure

        return measure(options)
    from stma_ros.apps.bench import bench

    return bench(options)


def _plot(options: argparse.Namespace) -> int:
    from stma_ros.apps.plot import plot

    return plot(options.results, options.out, options.format)


def _flat(options: argparse.Namespace) -> int:
    from stma_ros.apps.flat import Outputs, flat

    return flat(options.source, options.rooms, Outputs(options.draw, options.glb, options.save))


def _serve_model(options: argparse.Namespace) -> int:
    from stma_ros.apps.model_server.misbehaviour import read_misbehaviour
    from stma_ros.apps.model_server.serve import serve
    from stma_ros.apps.model_server.server import ServerOptions

    misbehaviour = read_misbehaviour(options.misbehave, options.seed)
    return serve(options.host, options.port, ServerOptions(options.key, misbehaviour))


def _doctor(options: argparse.Namespace) -> int:
    from stma_ros.apps.doctor import doctor
    from stma_ros.apps.settings import read_assignments

    values = read_assignments(options.assignments)
    values.refuse_plain("doctor")
    if options.model:
        from stma_ros.apps.model_check import check_models

        return check_models(values.models)
    return doctor(options.namespace if options.topics else None)


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given; for the others the called function knows the default."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


if __name__ == "__main__":
    sys.exit(main())
