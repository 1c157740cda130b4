"""Loads prompts from their files: a head with the budgets, and the text that begins every request."""

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
    """The constant part of a request. It comes first, so that the prefix cache of a model applies to it.

    Attributes:
        version: is raised with every change of its meaning.
        instructions: largest length of its text, in words and punctuation marks (`types.prompt_length.count_tokens`).
        question: largest length of the question that follows it, in the same unit.
        reply_tokens: largest length of a reply, in tokens of the model.
        text: the instructions.
    """

    version: int
    instructions: int
    question: int
    reply_tokens: int
    text: str


@lru_cache
def find_prompt(role: str, domain: str) -> Prompt:
    """Returns the prompt of a role in a domain, or else the one that all domains share.

    Args:
        role: name of the role; the file is named `<role>.md`.
        domain: name of the domain's package. Its folder `prompts` is searched first, `roles/prompts` second.

    Raises:
        ConfigurationError: the package does not exist, neither folder has the prompt, or its head is invalid.
    """
    try:
        paths = [files(package) / "prompts" / f"{role}.md" for package in (domain, __package__)]
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            f"there is no package {domain!r} with prompts ({error}): name that of the domain (Domain.package)"
        ) from error
    found = next((path for path in paths if path.is_file()), None)
    if found is None:
        raise ConfigurationError(
            f"no model can answer the {role} in {domain.rpartition('.')[2]}: there is no prompt for it. Add "
            f"{paths[0]}, or leave it to the rules (model.{role}=rules)"
        )
    match = _HEAD.fullmatch(found.read_text(encoding="utf-8"))
    try:
        head = yaml.safe_load(match["head"]) if match is not None else None
    except yaml.YAMLError as error:
        raise ConfigurationError(f"the head of the prompt {found} is not YAML: {error}") from error
    if match is None or not isinstance(head, dict) or head.keys() != _BUDGETS:
        problem = f"has {', '.join(map(str, head))}" if isinstance(head, dict) else "is missing"
        raise ConfigurationError(
            f"the head of the prompt {found} {problem}; between two lines of --- it has to say "
            f"{', '.join(sorted(_BUDGETS))}"
        )
    for key, value in head.items():
        if not isinstance(value, int) or value < 1:
            raise ConfigurationError(
                f"{key} in the head of the prompt {found} is {value!r}; give a whole number from 1"
            )
    return Prompt(text=match["text"].strip(), **head)
