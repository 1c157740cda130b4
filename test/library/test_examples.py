"""The scripts of the README and of docs/howto/embed_memory.md, as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the house world, which renders the recording, needs the extra `house`")

from support.library.flat_frames import flat_frames, write_recording

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = {
    "README.md": "## In Python, with or without ROS",
    "docs/howto/embed_memory.md": "# Embed the memory in a Python program",
}


def script(page: str) -> str:
    """Returns the blocks of Python of a page from a heading on, as one script."""
    _, _, text = (ROOT / page).read_text().partition(PAGES[page])
    blocks = BLOCK.findall(text)
    assert blocks
    return "\n".join(blocks)


@pytest.mark.parametrize("page", PAGES)
def test_the_script_of_a_page_runs_as_it_stands_there(tmp_path: Path, page: str) -> None:
    write_recording(tmp_path / "recording", flat_frames())
    (tmp_path / "script.py").write_text(script(page))
    ran = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert "I have not seen a red mug" in ran.stdout
    assert "Saved 20 things in 2 rooms to" in ran.stdout
    assert (tmp_path / "my_home" / "memory.stma").is_file()


@pytest.mark.parametrize("page", PAGES)
def test_the_script_of_a_page_is_typed(tmp_path: Path, page: str) -> None:
    (tmp_path / "script.py").write_text(script(page))
    checked = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "script.py",
        ],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (checked.stdout, checked.returncode) == ("Success: no issues found in 1 source file\n", 0)
