"""The scripts of the README and of docs/howto/embed_memory.md run unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the house world, which renders the recording, needs the extra `house`")

from support.library.flat_frames import flat_frames, write_recording
from support.markdown import ROOT, code_blocks
from support.python_process import run_python

PAGES = ("README.md", "docs/howto/embed_memory.md")
SAVED = (
    "11 things in 1 room",
    "11 things in 2 rooms",
)  # in the room of the recording; the second page tells of rooms


def script(page: str) -> str:
    """Returns the Python blocks of a page as one script."""
    blocks = [block.text for block in code_blocks(ROOT / page) if block.language == "python"]
    assert blocks
    return "\n".join(blocks)


@pytest.mark.parametrize(("page", "saved"), zip(PAGES, SAVED, strict=True))
def test_the_script_of_a_page_runs_unchanged(tmp_path: Path, page: str, saved: str) -> None:
    write_recording(tmp_path / "recording", flat_frames())
    (tmp_path / "script.py").write_text(script(page))
    ran = run_python("script.py", folder=tmp_path, PYTHONPATH=str(ROOT))
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert "I have not seen a red mug" in ran.stdout
    assert f"Saved {saved} to" in ran.stdout
    assert (tmp_path / "my_home" / "memory.stma").is_file()


@pytest.mark.parametrize("page", PAGES)
def test_the_script_of_a_page_passes_mypy(tmp_path: Path, page: str) -> None:
    (tmp_path / "script.py").write_text(script(page))
    options = ("--strict", "--config-file", str(ROOT / "pyproject.toml"))
    checked = run_python("-m", "mypy", *options, "script.py", folder=tmp_path, MYPYPATH=str(ROOT))
    assert (checked.stdout, checked.returncode) == ("Success: no issues found in 1 source file\n", 0)
