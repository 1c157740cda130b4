"""The programs of how-to pages do what the pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.markdown import ROOT, code_blocks, write_files
from support.python_process import run_python

PAGES = [ROOT / "docs" / "howto" / name for name in ("own_agent.md", "own_role.md")]
OWN = '["greedy", "judge"]'  # packages that the reader makes


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_program_of_a_howto_page_prints_the_output_that_the_page_shows(
    page: Path, tmp_path: Path
) -> None:
    write_files(page, tmp_path)
    (said,) = [block.text for block in code_blocks(page) if block.language == "text"]
    outcome = run_python("try_it.py", folder=tmp_path, PYTHONPATH=str(ROOT))
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout == said


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_howto_page_passes_ruff_and_mypy(page: Path, tmp_path: Path) -> None:
    write_files(page, tmp_path)
    sections = [f"lint.isort.known-first-party={OWN}", "lint.isort.known-third-party=['stma_ros']"]
    options = [part for value in (str(ROOT / "pyproject.toml"), *sections) for part in ("--config", value)]
    for command in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        outcome = run_python("-m", "ruff", *command, *options, ".", folder=tmp_path)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr
