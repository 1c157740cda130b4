"""Scenes: which files belong to a task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.pddl.problems.problem import problem_text
from stma_ros.worlds.pddl.problems.registry import GENERATORS
from stma_ros.worlds.pddl.reader import Source

FIRST_SCENE: Final = next(iter(GENERATORS))

_SUFFIX = ".pddl"
_DOMAIN, _WORDING, _SENSES = "domain.pddl", "wording.yaml", "senses.yaml"
_DOMAINS = Path(__file__).parent / "domains"


@dataclass(frozen=True)
class TaskFiles:
    """The files of a task. wording, senses: None if there is no such file next to that of the domain."""

    domain: Source
    problem: Source
    wording: Source | None
    senses: Source | None


def task_files(scene: str, seed: int) -> TaskFiles:
    """Returns the files of a scene.

    Args:
        scene: Name of a domain of ours, in which a problem is generated, or the file of a problem, whose domain.pddl is
            in the same folder or the nearest one above it that has one.
        seed: Seed of a generated problem.

    Raises:
        ConfigurationError: There is no such scene, domain or seed, or a file cannot be read.
    """
    if scene in GENERATORS:
        if seed < 0:
            raise ConfigurationError(f"the seed of a generated problem must not be negative, got {seed}")
        text = problem_text(GENERATORS[scene](seed))
        return _with_domain(_DOMAINS / scene, Source(f"the problem {scene} of seed {seed}", text))
    path = Path(scene)
    if path.suffix.lower() != _SUFFIX:
        raise ConfigurationError(
            f"pddl has no scene {scene!r}; its scenes are {', '.join(GENERATORS)}, and files of problems ({_SUFFIX})"
        )
    problem = _source(path)
    for folder in path.absolute().parents:
        if (folder / _DOMAIN).is_file():
            return _with_domain(folder, problem)
    raise ConfigurationError(
        f"there is no {_DOMAIN} for {scene}: put the file of its domain, by this name, into its folder or one above"
    )


def _with_domain(folder: Path, problem: Source) -> TaskFiles:
    return TaskFiles(
        _source(folder / _DOMAIN), problem, _optional(folder / _WORDING), _optional(folder / _SENSES)
    )


def _optional(path: Path) -> Source | None:
    return _source(path) if path.exists() else None


def _source(path: Path) -> Source:
    try:
        return Source(str(path), path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"there is no file {path}: give the path of a problem's file, with a {_DOMAIN} in its folder or one above"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} cannot be read: it is no text in UTF-8 ({error.reason})") from error
    except (OSError, ValueError) as error:  # the latter: the path contains a null character
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
