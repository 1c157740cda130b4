"""Tests of recording on the local runtime: the run goes on where its recording cannot."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from stma_ros.apps import cli
from stma_ros.storage.bag.file_writer import BagFileWriter
from stma_ros.storage.bag.reader import Bag, read_bag

RECORDED = 50  # messages, until the disk is full


def test_a_full_disk_ends_the_bag_and_not_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write = BagFileWriter.write
    written: list[Any] = []

    def write_until_full(file: BagFileWriter, *message: Any) -> None:
        if len(written) == RECORDED:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(message)
        write(file, *message)

    monkeypatch.setattr(BagFileWriter, "write", write_until_full)
    folder = tmp_path / "run [old]"
    command = (
        "run",
        "--runtime",
        "local",
        "--world",
        "scripted",
        "--task",
        "find a mug",
        "--out",
        str(folder),
    )
    assert cli.main(command) == 0
    assert json.loads((folder / "metrics.json").read_text())["steps"] == 5
    assert Bag(folder).is_finished
    assert len(list(read_bag(folder))) == RECORDED
    assert (folder / "decisions.jsonl").read_text()
    output = capsys.readouterr().out
    assert output.count("recorder: recording ends, for the disk takes no more") == 1
    assert f"report: {folder}/report.html\n" in output  # not as markup
