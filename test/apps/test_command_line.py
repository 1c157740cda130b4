"""Tests of the command line of `stma`: invalid calls, help, exit status, and signals."""

from __future__ import annotations

import html
import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from stma_ros.apps import bench, cli, run
from stma_ros.apps.command_line import make_parser
from stma_ros.apps.measurements import MEASUREMENTS
from stma_ros.apps.session.session import SessionSpec
from stma_ros.evaluation.registry import SUITES
from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StorageError, WorldError
from stma_ros.worlds.registry import WORLDS
from support.apps.scripted_session import ScriptedSuite, open_scripted

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lets `stma bench` run this list of scripted tasks instead of a suite."""
    tasks: list[str] = []
    monkeypatch.setattr(bench, "make_suite", lambda name, settings: ScriptedSuite(tuple(tasks), name))
    monkeypatch.setattr(bench, "open_session", open_scripted)
    return tasks


LOCAL_RUN = ("run", "--runtime", "local", "--task", "find a mug")
BENCH = ("bench", "rearrangement", "--episodes", "1")


@pytest.mark.parametrize(
    ("arguments", "cause", "remedy"),
    [
        ((*LOCAL_RUN, "--preset", "ful"), "there is no preset 'ful'", "Did you mean 'full'?"),
        ((*LOCAL_RUN, "--world", "hause"), "there is no world 'hause'", "Did you mean 'house'?"),
        ((*LOCAL_RUN, "--scene", "villa"), "the house has no scene 'villa'", "its scenes are 'flat_0'"),
        ((*LOCAL_RUN, "--scene", "my.json"), "my.json cannot be read", "No such file"),
        (("scene", "villa"), "'villa' is neither a flat's seed", "a file that --save has written"),
        (("scene", "7", "--rooms", "2"), "a flat has 3 to 10 rooms, not 2", "take another --rooms"),
        (("scene", "7", "--draw", "nowhere/f.svg"), "there is no folder nowhere", "make it first"),
        (
            (*LOCAL_RUN, "--memory", "/proc/version"),
            "/proc/version cannot hold memories (is a file)",
            "set memory_dir to a folder that can be written",
        ),
        (
            ("run", "--task", "find a mug", "--memory", "/proc/none"),
            "/proc/none cannot hold memories (No such file or directory)",
            "set memory_dir to a folder that can be written",
        ),
        (
            ("run", "--runtime", "local", "--task", "find a mug and " * 3000),
            "the task's text has 45000 characters, and at most 2000 are read",
            "say it in fewer words",
        ),
        ((*LOCAL_RUN, "--set", "novalue"), "--set wants KEY=VALUE", "got 'novalue'"),
        ((*LOCAL_RUN, "--set", "=3"), "--set wants KEY=VALUE", "got '=3'"),
        (
            (*LOCAL_RUN, "--set", "tasks=find"),
            "stma run has no setting 'tasks'",
            "Write component.setting=value",
        ),
        ((*LOCAL_RUN, "--set", "actions=1"), "run has no setting 'actions'", "Did you mean planner.actions?"),
        ((*LOCAL_RUN, "--set", "width=1"), "house.width must be from 16", "to 4096, got '1'"),
        ((*LOCAL_RUN, "--set", "map_offset=1"), "house.map_offset: wants two numbers", 'as "1.5,-2"'),
        ((*LOCAL_RUN, "--set", "wrld.width=1"), "there is no component 'wrld'", "Did you mean 'world'?"),
        ((*LOCAL_RUN, "--set", "recoder.x=1"), "there is no component 'recoder'", "Did you mean 'recorder'?"),
        ((*LOCAL_RUN, "--set", "model.plnner=rules"), "no setting 'plnner'", "Did you mean 'planner'?"),
        (
            ("run", "--world", "textworld", "--task", "eat", "--set", "perception.max_range=3"),
            "the agent 'full' has no component 'perception' in its wiring 'text'",
            "There are: spatial_memory",
        ),
        (
            (*LOCAL_RUN, "--preset", "react"),
            "'react' is not for worlds that offer a camera",
            "there are: full",
        ),
        ((*LOCAL_RUN, "--set", "planer.x=1"), "there is no component 'planer'", "Did you mean 'planner'?"),
        (
            (*LOCAL_RUN, "--set", "executor.max_round=1"),
            "executor has no setting 'max_round'",
            "Did you mean 'max_rounds'?",
        ),
        ((*LOCAL_RUN, "--set", "executor.max_rounds=many"), "executor.max_rounds", "wants int, got 'many'"),
        ((*LOCAL_RUN, "--set", "executor.max_rounds=0"), "executor.max_rounds", "must be from 1 to 100"),
        ((*LOCAL_RUN, "--set", "world.widht=640"), "house has no setting 'widht'", "Did you mean 'width'?"),
        ((*LOCAL_RUN, "--set", "world.width=wide"), "house.width", "wants int, got 'wide'"),
        (("run", "--runtime", "local"), "the world house asks for nothing", "say what to do with --task"),
        (("run", "--world", "textworld", "--scene", "level_9"), "no scene 'level_9'", "level_1 to level_4"),
        (
            ("demo", "--world", "textworld"),
            "no tasks for the world 'textworld'",
            "stma run --world textworld",
        ),
        (("demo", "--world", "hause"), "there is no world 'hause'", "Did you mean 'house'?"),
        ((*BENCH, "--preset", "react"), "'react' is not for worlds that offer a camera", "there are: full"),
        ((*BENCH, "--world", "textworld"), "rearrangement has no scenes in the world 'textworld'", "only in"),
        ((*BENCH, "--set", "planer.x=1"), "there is no component 'planer'", "Did you mean 'planner'?"),
        (("bench", "retrieval", "--set", "larges=1"), "retrieval has no setting 'larges'", "mean 'largest'?"),
        (("bench", "retrieval", "--set", "planer.x=1"), "no component 'planer'", "Did you mean 'planner'?"),
        (
            ("compare-engines", "--set", "wrld.width=1"),
            "there is no component 'wrld'",
            "Did you mean 'world'?",
        ),
        (("serve-model", "--misbehave", "slwo=0.1"), "no way to misbehave 'slwo'", "Did you mean 'slow'?"),
        (("bench", "rearrange"), "there is no suite 'rearrange'", "Did you mean 'rearrangement'?"),
        ((*BENCH, "--preset", "ful"), "there is no preset 'ful'", "Did you mean 'full'?"),
        ((*BENCH, "--set", "task=find"), "rearrangement has no setting 'task'", "Did you mean 'tasks'?"),
        ((*BENCH, "--set", "tasks=sort"), "rearrangement.tasks must be one of household, find", "got 'sort'"),
        ((*BENCH, "--set", "world.rooms=4"), "rearrangement makes its own scenes", "leave world.rooms out"),
        ((*BENCH, "--set", "states=varied"), "rearrangement makes its own scenes", "leave world.states out"),
        (
            ("bench", "activities", "--set", "states=varied"),
            "activities makes its own scenes",
            "world.states",
        ),
        (
            (*BENCH, "--runtime", "ros", "--jobs", "2"),
            "--jobs is for --runtime local",
            "one episode at a time",
        ),
        ((*BENCH, "--json", "nowhere/x.json"), "there is no folder", "make it first"),
    ],
)
def test_invalid_command_line_is_refused_with_cause_and_remedy(
    arguments: tuple[str, ...], cause: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert cause in error
    assert remedy in error


@pytest.mark.parametrize(
    "command",
    [
        ("replay",),
        ("replay", "--publish"),
        ("score",),
        ("view", "--no-open"),
        ("doctor", "--bag"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("name", "cause", "remedy"),
    [
        ("nowhere", "there is no nowhere", "Name a run's folder"),
        ("notes", "notes is no bag", "name a run's folder"),
        ("notes/readme.txt", "neither a folder with a bag nor an .mcap or .db3 file", "name one of these"),
        ("notes/broken.mcap", "broken.mcap holds no bag", "name a run's folder"),
    ],
)
def test_path_without_a_bag_is_refused_with_cause_and_remedy(
    command: tuple[str, ...],
    name: str,
    cause: str,
    remedy: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "readme.txt").write_text("no bag")
    if name == "notes/broken.mcap":
        (tmp_path / name).write_text("no bag")
    assert cli.main([*command, name]) == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert cause in error
    assert remedy in error


@pytest.mark.parametrize("arguments", [(*BENCH, "--preset", "ful"), (*LOCAL_RUN, "--set", "world.widht=640")])
def test_refused_command_leaves_no_folder(arguments: tuple[str, ...], tmp_path: Path) -> None:
    cli.main(arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: COMMAND"),
        (("bench",), "the following arguments are required: SUITE"),
        ((*BENCH, "--jobs", "0"), "must be at least 1, got 0"),
        ((*BENCH, "--seed", "-1"), "must be at least 0, got -1"),
        ((*BENCH, "--jobs", "two"), "wants a whole number, got 'two'"),
        ((*LOCAL_RUN, "--runtime", "remote"), "invalid choice: 'remote'"),
    ],
)
def test_command_line_that_cannot_be_parsed_shows_the_usage(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        cli.main(arguments)
    assert ending.value.code == cli.EXIT_REFUSED
    error = capsys.readouterr().err
    assert "usage: stma" in error
    assert message in error


@pytest.mark.parametrize(
    ("blocked", "world", "remedy"),
    [
        ("rclpy", "house", "make setup"),
        ("open3d", "house", "pip install"),
        ("textworld", "textworld", "make cooking"),
        ("torch", "textworld", "--set spatial_memory.embedder=lexical"),
    ],
)
def test_missing_library_is_named_with_what_to_install(
    blocked: str, world: str, remedy: str, tmp_path: Path
) -> None:
    runtime = "ros" if blocked == "rclpy" else "local"
    where = ["--world", world, "--runtime", runtime, "--out", str(tmp_path / "out")]
    program = f"""
import sys
sys.modules[{blocked!r}] = None  # as if it were not installed
from stma_ros.apps.cli import main
sys.exit(main(["run", "--task", "find a mug", *{where!r}]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == cli.EXIT_REFUSED, done.stderr
    assert blocked in done.stderr
    assert remedy in done.stderr
    assert "Traceback" not in done.stderr


def test_local_runtime_needs_no_ros(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["rclpy"] = None
from stma_ros.apps.cli import main
sys.exit(main(["run", "--task", "sing a song", "--runtime", "local", "--out", sys.argv[1]]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "out")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert (metrics["status"], metrics["error"]) == ("FAILED", "TASK_NOT_UNDERSTOOD")
    assert (tmp_path / "out" / "report.html").exists()


@pytest.mark.filterwarnings("ignore:Game .* is not fully supported")  # of TextWorld's own interpreter
def test_text_game_supplies_its_own_task(tmp_path: Path) -> None:
    out = tmp_path / "out"
    game = ("--world", "textworld", "--scene", "level_1", "--seed", "1400000", "--max-commands", "3")
    settings = ("--set", "spatial_memory.embedder=lexical", "--runtime", "local", "--out", str(out))
    assert cli.main(["run", *game, *settings]) == 0
    asked = yaml.safe_load((out / "config.yaml").read_text())["settings"]["task"]
    assert "cookbook" in asked
    assert json.loads((out / "metrics.json").read_text())["steps"] == 3
    page = (out / "report.html").read_text()
    assert html.escape(asked, quote=False).replace("'", "&#39;") in page
    assert "<dt>points</dt>" in page


def test_help_imports_no_numerical_libraries() -> None:
    program = """
import sys
from stma_ros.apps.cli import main
try:
    main(["bench", "--help"])
finally:
    print(sorted({"numpy", "rich", "rclpy", "open3d", "numba"} & sys.modules.keys()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert "stma bench rearrangement --set tasks=find" in done.stdout
    assert done.stdout.endswith("[]\n")


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (ConfigurationError("no such thing. Take another"), 2, "error: no such thing. Take another\n"),
        (MissingDependencyError("no x. Install it"), 2, "error: no x. Install it\n"),
        (StorageError("disk full"), 2, "error: disk full\n"),
        (WorldError("the engine broke"), 1, "error: the engine broke\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)
def test_errors_of_a_command_set_exit_status_and_message(
    error: BaseException,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: Any) -> int:
        raise error

    monkeypatch.setattr(run, "run", broken)
    assert cli.main(LOCAL_RUN) == status
    assert capsys.readouterr().err == message


def test_bench_writes_its_result_and_names_crashed_episodes(
    scripted: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scripted += ["solve", "crash", "miss"]
    arguments = ["bench", "rearrangement", "--episodes", "3", "--seed", "1000", "--json", "result.json"]
    assert cli.main([*arguments, "--set", "planner.nothing=1"]) == cli.EXIT_REFUSED
    assert cli.main(arguments) == cli.EXIT_FAILED
    output = capsys.readouterr().out
    assert "crashed: full/001-group: WorldError: the engine broke" in output
    result = json.loads((tmp_path / "result.json").read_text())
    assert result == json.loads((tmp_path / "runs" / "bench-rearrangement-1" / "metrics.json").read_text())
    assert result["settings"]["seed"] == 1000


def test_memory_option_sets_the_memory_folder_of_the_agent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    specs: list[SessionSpec] = []
    monkeypatch.setattr(run, "run", lambda spec, *_: specs.append(spec) or 0)
    monkeypatch.chdir(tmp_path)
    assert cli.main([*LOCAL_RUN, "--memory", "home", "--set", "spatial_memory.resolution=0.1"]) == 0
    config = specs[0].agent().configs["spatial_memory"]
    assert (config.memory_dir, config.resolution) == (str(tmp_path / "home"), 0.1)


def test_runs_never_overwrite_an_earlier_run(
    scripted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted += ["solve"]
    assert [cli.main(BENCH), cli.main(BENCH)] == [0, 0]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "bench-rearrangement-1",
        "bench-rearrangement-2",
    ]
    before = (tmp_path / "runs" / "bench-rearrangement-1" / "metrics.json").read_bytes()
    assert cli.main([*BENCH, "--out", "runs/bench-rearrangement-1"]) == cli.EXIT_REFUSED
    assert "runs/bench-rearrangement-1 holds an earlier run; name a new folder" in capsys.readouterr().err
    assert (tmp_path / "runs" / "bench-rearrangement-1" / "metrics.json").read_bytes() == before


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (signal.SIGINT, ["interrupted: ENDING; once more (Ctrl-C) ends it at once", "interrupted"]),
        (signal.SIGTERM, ["asked to end: ENDING; once more (Ctrl-C) ends it at once"]),
    ],
)
def test_signal_unwinds_the_command_and_announces_what_its_end_does(
    number: signal.Signals, message: list[str]
) -> None:
    program = f"""
import signal, sys
from stma_ros.apps import cli, run

def waiting(*_):
    try:
        signal.raise_signal({int(number)})
    finally:
        print("unwound")

run.run = waiting
sys.argv = ["stma", *{LOCAL_RUN}]
sys.exit(cli.main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 128 + number
    assert done.stdout == "unwound\n"
    ending = "ending the task, what was started for it, and the recording"
    assert done.stderr.splitlines() == [line.replace("ENDING", ending) for line in message]


def test_help_names_every_suite_and_every_world(capsys: pytest.CaptureFixture[str]) -> None:
    parser = make_parser(cli.COMMANDS)
    said = {}
    for command in ("bench", "run"):
        with pytest.raises(SystemExit):
            parser.parse_args([command, "--help"])
        said[command] = set(re.findall(r"\w+", capsys.readouterr().out.partition("examples:")[0]))
    assert said["bench"] >= {*SUITES, *MEASUREMENTS}
    assert said["run"] >= set(WORLDS)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_help_of_every_command_has_examples_that_can_be_parsed(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = make_parser(cli.COMMANDS)
    with pytest.raises(SystemExit):
        parser.parse_args([command, "--help"])
    text = capsys.readouterr().out
    examples = text.partition("examples:\n")[2].splitlines()
    assert examples
    for example in examples:
        assert callable(parser.parse_args(shlex.split(example)[1:]).command)
