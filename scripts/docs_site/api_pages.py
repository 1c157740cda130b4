"""The Python interface: what the package exports, and the modules by which it is extended. mkdocstrings reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import stma_ros


@dataclass(frozen=True)
class _Seam:
    """A page on one way to extend the package. about: under its title."""

    title: str
    about: str
    modules: tuple[str, ...]


_SEAMS = {
    "reference/agents.md": _Seam(
        "Agents",
        "What an agent is made of: [how to write one](../howto/own_agent.md).",
        ("stma_ros.agents.spec", "stma_ros.types.component"),
    ),
    "reference/roles.md": _Seam(
        "Roles",
        "What a model, or rules in its place, is asked to do: [how to write one](../howto/own_role.md).",
        ("stma_ros.roles.spec", "stma_ros.roles.runner", "stma_ros.domains.spec"),
    ),
    "reference/worlds.md": _Seam(
        "Worlds",
        "What a simulator or a game has to do: [how to write one](../howto/own_world.md).",
        ("stma_ros.types.world",),
    ),
    "reference/ports.md": _Seam(
        "Detectors, histories, settings",
        "Smaller parts that can be exchanged.",
        ("stma_ros.sensing.detectors.port", "stma_ros.memory.working.port", "stma_ros.types.settings"),
    ),
}

_LIBRARY = """What `from stma_ros import ...` gives: the stable part, with and without ROS 2. How to use it:
[Embed the memory in a Python program](../howto/embed_memory.md).
"""


def make() -> dict[str, str]:
    """The pages by their place on the site."""
    seams = {
        uri: f"# {seam.title}\n\n{seam.about}\n\n" + "\n".join(_module(name) for name in seam.modules)
        for uri, seam in _SEAMS.items()
    }
    return {"reference/library.md": _library(), **seams}


def pages_of_modules() -> Mapping[str, str]:
    """The page on each module, by its path in the repository."""
    described = {module: uri for uri, seam in _SEAMS.items() for module in seam.modules}
    described |= {"stma_ros.types.topics": "reference/topics.md"}
    return {f"{module.replace('.', '/')}.py": uri for module, uri in described.items()}


def _library() -> str:
    """What `from stma_ros import ...` gives, each from the module that defines it."""
    names = sorted(name for name in stma_ros.__all__ if not name.startswith("_"))
    exported = [getattr(stma_ros, name) for name in names]
    options = "    options:\n      heading_level: 2\n      inherited_members: true\n"
    objects = (f"::: {one.__module__}.{one.__qualname__}\n{options}" for one in exported)
    return f"# Python library\n\n{_LIBRARY}\n" + "\n".join(objects)


def _module(name: str) -> str:
    options = "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
    return f"## `{name}`\n\n::: {name}\n{options}"
