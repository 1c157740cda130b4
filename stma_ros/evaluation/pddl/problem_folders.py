"""Folders of other people's planning problems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stma_ros.types.errors import ConfigurationError

_SUFFIX, _DOMAIN = ".pddl", "domain.pddl"


def problems_in(folder: Path) -> Sequence[tuple[str, Path]]:
    """Returns the group and the file of each problem below a folder, with the groups in turn.

    A folder with a `domain.pddl` is a domain; all other PDDL files in it, and in folders below it that have no domain
    of their own, are its problems. Its group is its path below `folder`.

    Raises:
        ConfigurationError: there is no such folder, or no problem in it.
    """
    if not folder.is_dir():
        raise ConfigurationError(
            f"there is no folder {folder}: give one that holds a folder for each domain, with {_DOMAIN} and problems"
        )
    groups: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob(f"*{_SUFFIX}")):
        if path.name == _DOMAIN:
            continue
        domain = next((above for above in path.parents if (above / _DOMAIN).is_file()), None)
        if domain is None or not (domain == folder or folder in domain.parents):
            raise ConfigurationError(f"{path} has no {_DOMAIN} in its folder or one above it, up to {folder}")
        group = domain.name if domain == folder else str(domain.relative_to(folder))
        groups.setdefault(group, []).append(path)
    if not groups:
        raise ConfigurationError(f"{folder} holds no problems: files {_SUFFIX} next to a {_DOMAIN}")
    longest = max(map(len, groups.values()))
    return [
        (name, paths[turn]) for turn in range(longest) for name, paths in groups.items() if turn < len(paths)
    ]
