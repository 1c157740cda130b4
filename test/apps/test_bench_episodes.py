"""Tests of running the episodes of a bench: crashes, jobs, folders, and results."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from stma_ros.apps.bench import Bench
from stma_ros.apps.bench_table import result_tables
from stma_ros.apps.episodes import CRASHED
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.storage.run_folder import RunFolder
from stma_ros.worlds.robot.map_frame import MapFrame
from support.apps.scripted_session import ScriptedSuite, open_scripted

TASKS = ("solve", "miss", "crash", "solve", "miss", "solve")


def run(
    folder: Path,
    tasks: tuple[str, ...] = TASKS,
    processes: int = 1,
    record: bool = False,
    presets: tuple[str, ...] = ("full", "stma"),
) -> dict[str, Any]:
    specs = [SessionSpec(LOCAL, preset) for preset in presets]
    bench = Bench(ScriptedSuite(tasks), {"seed": 1000}, specs, 1000, len(tasks), processes, record)
    return bench.run(RunFolder.create(folder), Console(file=io.StringIO()), open_scripted)


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    """Returns the record without the only field that may differ between two runs."""
    for part in (*result["rows"], *result["episodes"]):
        assert part.pop("run_time_s") is not None
    return result


def test_crashed_episode_is_reported_and_does_not_affect_the_others(tmp_path: Path) -> None:
    result = run(tmp_path / "bench")
    whole = next(row for row in result["rows"] if (row["preset"], row["group"]) == ("full", "all"))
    assert (whole["episodes"], whole["crashed"], whole["failures"]) == (6, 1, {"not found": 2, "error": 1})
    assert whole["success_rate"] == 50.0
    crashed = [episode for episode in result["episodes"] if episode["crashed"]]
    assert [episode["name"] for episode in crashed] == ["full/002-group", "stma/002-group"]
    assert crashed[0]["error"] == "WorldError: the engine broke"
    assert crashed[0]["status"] == CRASHED
    assert "run_task" in (tmp_path / "bench" / "full" / "002-group" / "crash.txt").read_text()


@pytest.mark.parametrize("processes", [1, 2])
def test_episode_that_cannot_be_made_counts_as_a_crash(tmp_path: Path, processes: int) -> None:
    result = run(
        tmp_path / "bench", tasks=("solve", "unmade", "miss"), processes=processes, presets=("full",)
    )
    endings = [(episode["name"], episode["error"]) for episode in result["episodes"]]
    assert endings == [
        ("full/000-group", ""),
        ("full/001-not-made", "WorldError: the generator broke"),
        ("full/002-group", ""),
    ]
    rows = {row["group"]: (row["episodes"], row["crashed"]) for row in result["rows"]}
    assert rows == {"group": (2, 0), "not made": (1, 1), "all": (3, 1)}
    assert "generator" in (tmp_path / "bench" / "full" / "001-not-made" / "crash.txt").read_text()


def test_bench_result_does_not_depend_on_the_number_of_jobs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one, three = run(tmp_path / "one"), run(tmp_path / "three", processes=3)
    assert timeless(one) == timeless(three)
    sessions = [(tmp_path / of / "sessions").read_text().splitlines() for of in ("one", "three")]
    assert all(marks.count("opened") == marks.count("closed") for marks in sessions)
    assert "Traceback" not in capfd.readouterr().err
    for episode in one["episodes"]:
        first, second = (
            (tmp_path / of / episode["name"] / "decisions.jsonl").read_text() for of in ("one", "three")
        )
        assert first == second
        assert len(first.splitlines()) == (0 if episode["crashed"] else 1)


def test_episode_after_another_task_is_made_from_what_happened_in_it_and_scored_alone(tmp_path: Path) -> None:
    result = run(tmp_path / "bench", tasks=("follow",), presets=("full",))
    (episode,) = result["episodes"]
    assert (episode["task"], episode["success"], episode["crashed"]) == ("solve", True, False)


def test_bench_continues_with_the_other_episodes_when_a_process_dies(tmp_path: Path) -> None:
    result = run(tmp_path / "bench", tasks=("solve", "die", "miss", "solve"), processes=2, presets=("full",))
    endings = [(episode["index"], episode["crashed"]) for episode in result["episodes"]]
    assert endings == [(0, False), (1, True), (2, False), (3, False)]
    assert "its process died" in result["episodes"][1]["error"]


def test_bench_opens_one_session_per_preset_and_a_new_one_after_a_crash(tmp_path: Path) -> None:
    run(tmp_path / "bench")
    marks = (tmp_path / "bench" / "sessions").read_text().splitlines()
    assert marks.count("opened") == 4
    assert marks[-1] == "closed"


def test_recorded_episode_has_a_session_and_a_folder_of_its_own(tmp_path: Path) -> None:
    run(tmp_path / "bench", tasks=("solve", "miss"), record=True)
    for name in ("full/000-group", "full/001-group", "stma/000-group", "stma/001-group"):
        assert (tmp_path / "bench" / name / "sessions").read_text() == "opened\nclosed\n"


def test_bench_result_has_the_documented_fields(tmp_path: Path) -> None:
    result = json.loads(json.dumps(run(tmp_path / "bench")))
    assert list(result) == ["suite", "settings", "rows", "false_successes", "episodes"]
    assert (result["suite"], result["settings"]) == ("scripted", {"seed": 1000})
    agreed = {
        "preset",
        "group",
        "episodes",
        "success_rate",
        "mean_steps",
        "optimal_steps",
        "run_time_s",
        "crashed",
    }
    for row in result["rows"]:
        assert agreed <= row.keys()
    assert [row["group"] for row in result["rows"]] == ["group", "all", "group", "all"]
    assert [(e["preset"], e["index"]) for e in result["episodes"]] == [
        (preset, index) for preset in ("full", "stma") for index in range(6)
    ]


def test_bench_table_shows_every_row(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=160)
    console.print(*result_tables(run(tmp_path / "bench", tasks=("solve", "miss")), {}))
    output = console.file.getvalue()  # type: ignore[attr-defined]
    assert output.count("1 not found") == 4
    assert output.count("50 (9 to 91)") == 4


def test_preset_with_trials_retries_until_it_succeeds(tmp_path: Path) -> None:
    result = run(tmp_path / "bench", tasks=("solve", "learn", "miss"), presets=("react", "reflexion"))

    tried = [e for e in result["episodes"] if e["preset"] == "reflexion"]
    assert [(e["success"], e["trial_1_success"], e["trials"]) for e in tried] == [
        (True, 100, 1),
        (True, 0, 2),
        (False, 0, 3),
    ]
    assert [e["success"] for e in result["episodes"] if e["preset"] == "react"] == [True, False, False]
    whole = {row["preset"]: row for row in result["rows"] if row["group"] == "all"}
    assert whole["reflexion"]["trial_1_success"] == pytest.approx(100 / 3)
    assert "trials" not in whole["react"]

    console = Console(file=io.StringIO(), width=160)
    console.print(*result_tables(result, {}))
    assert "trial 1 [%]" in console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_interrupt_of_a_bench_ends_its_session(tmp_path: Path, interrupt: type[BaseException]) -> None:
    bench = Bench(ScriptedSuite(TASKS), {}, [SessionSpec(LOCAL)], 1000, 6)
    folder = RunFolder.create(tmp_path / "bench")

    class Interrupting(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            raise interrupt

    with pytest.raises(interrupt):
        bench.run(folder, Interrupting(file=io.StringIO()), open_scripted)
    assert (folder.path / "sessions").read_text() == "opened\nclosed\n"


def test_canceled_task_ends_the_bench(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "bench", tasks=("solve", "cancel", "solve"), presets=("full",))
    assert (tmp_path / "bench" / "sessions").read_text() == "opened\nclosed\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"map_yaw": "0", "map_offset": "0,0"}, {"map_yaw": 0.0, "map_offset": "0,0"}),
        ({"map_yaw": "0.5", "map_offset": "1,-2.5"}, {"map_yaw": 0.5, "map_offset": "1,-2.5"}),
        ({"map_yaw": "nan", "map_offset": ""}, MapFrame.drawn("flat_1000").settings),
    ],
)
def test_an_episode_states_the_map_frame_that_its_world_has_drawn(
    tmp_path: Path, options: dict[str, str], expected: dict[str, Any]
) -> None:
    spec, tasks = SessionSpec(LOCAL, "full", world_options=options), ("solve", "crash")
    bench = Bench(ScriptedSuite(tasks), {"seed": 1000}, [spec], 1000, len(tasks))
    result = bench.run(RunFolder.create(tmp_path / "out"), Console(file=io.StringIO()), open_scripted)
    assert [episode["configuration"] for episode in result["episodes"]] == [expected] * 2
