"""What the forms of replies are made of.

A form is a frozen dataclass whose docstring and field names a model is shown as a JSON schema. No field has a default:
servers that hold replies to a schema want every field named. A check of the whole form is its `__post_init__`, which
raises ValueError; one of a field is `Annotated[..., Checked(function)]`. `roles.reply_form` brings forms to pydantic,
and is imported when the first model is asked: without one, nobody waits for pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Checked:
    """Of a field: what becomes of its value. function: raises ValueError for one that cannot be used."""

    function: Callable[[Any], Any]


def reply_json(reply: Any) -> str:
    """A reply as the JSON object that a model would write."""
    return json.dumps(asdict(reply), ensure_ascii=False, separators=(",", ":"))
