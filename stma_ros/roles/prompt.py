"""Prompts are files: a head with the budgets, and the text that every request begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

from stma_ros.types.errors import ConfigurationError

_HEAD = re.compile(r"---\n(?P<head>.*?)\n---\n(?P<text>.*)", re.DOTALL)


_BUDGETS = {"version", "instructions", "question", "reply_tokens"}


@dataclass(frozen=True)
class Prompt:
    """The unchanging part of a request, which comes first, so that a model's prefix cache holds it.

    Attributes:
        version: rises with every change of its meaning.
        instructions: longest text of its own, in words and marks (`roles.rendering.count_tokens`).
        question: longest question after it, likewise.
        reply_tokens: longest reply, in the model's own tokens.
        text: the instructions.
    """

    version: int
    instructions: int
    question: int
    reply_tokens: int
    text: str


@lru_cache
def find_prompt(role: str, domain: str) -> Prompt:
    """The prompt of a role in a domain, or the one that all domains share.

    Args:
        role: name of the role, which is the name of the file: `<role>.md`.
        domain: name of the domain's package, whose folder `prompts` comes first; `roles/prompts` comes second.

    Raises:
        ConfigurationError: there is no such package; neither folder has the prompt, so no model can be asked; its head
            is not as it should be.
    """
    try:
        places = [files(package) / "prompts" / f"{role}.md" for package in (domain, __package__)]
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"there is no package {domain!r} with prompts ({error}): name that of the domain (Domain.package)"
        ) from error
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise ConfigurationError(
            f"no model can answer the {role} in {domain.rpartition('.')[2]}: there is no prompt for it. Add "
            f"{places[0]}, or leave it to the rules (model.{role}=rules)"
        )
    match = _HEAD.fullmatch(found.read_text(encoding="utf-8"))
    try:
        head = yaml.safe_load(match["head"]) if match is not None else None
    except yaml.YAMLError as error:
        raise ConfigurationError(f"the head of the prompt {found} is not YAML: {error}") from error
    if match is None or not isinstance(head, dict) or head.keys() != _BUDGETS:
        told = f"has {', '.join(map(str, head))}" if isinstance(head, dict) else "is missing"
        raise ConfigurationError(
            f"the head of the prompt {found} {told}; between two lines of --- it has to say "
            f"{', '.join(sorted(_BUDGETS))}"
        )
    for key, value in head.items():
        if not isinstance(value, int) or value < 1:
            raise ConfigurationError(
                f"{key} in the head of the prompt {found} is {value!r}; give a whole number from 1"
            )
    return Prompt(text=match["text"].strip(), **head)
