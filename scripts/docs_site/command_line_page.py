"""The command line, from its parser."""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator

from tables import code, table

from stma_ros.apps.cli import COMMANDS
from stma_ros.apps.command_line import make_parser


def make() -> str:
    """The page."""
    parser = make_parser(COMMANDS)
    commands = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    sections = [f"# Command line\n\n{parser.description}\n"]
    for name, command in commands.choices.items():
        sections.append("\n".join(_command(name, command)))
    return "\n".join(sections)


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## stma {name}\n\n{_text(parser.description)}\n"
    options = [action for action in parser._actions if action.help not in (None, argparse.SUPPRESS)]
    rows = [(_names(action), _help(action, parser)) for action in options if action.dest != "help"]
    yield table(("", ""), rows)
    examples = (parser.epilog or "").partition("examples:\n")[2]
    if examples:
        lines = "\n".join(line.strip() for line in examples.splitlines())
        yield f"```sh\n{lines}\n```\n"


def _names(action: argparse.Action) -> str:
    if action.choices is not None:
        value = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        value = str(action.metavar or action.dest.upper())
    if not action.option_strings:
        return code(value)
    return code(" ".join((", ".join(action.option_strings), *(() if action.nargs == 0 else (value,)))))


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """The help, with what argparse puts into it."""
    known = defaultdict(str, {**vars(action), "prog": parser.prog})
    return _text((action.help or "") % known)


def _text(text: str | None) -> str:
    """Angle brackets would be HTML."""
    return re.sub(r"<", "&lt;", text or "")
