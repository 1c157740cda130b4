"""Building blocks of reply forms.

A form is a frozen dataclass. Its docstring and field names are sent to the model as a JSON schema. No field has a
default, because servers that enforce a schema require every field. The whole form is checked by its `__post_init__`,
which raises ValueError, and a field by `Annotated[..., Checked(function)]`. `roles.reply_form` validates forms with
pydantic. It is imported with the first prompted role, so that an agent without models does not wait for pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Checked:
    """Checks the value of a field.

    Attributes:
        function: returns the value to use instead of the given one. Raises ValueError for an unusable value.
    """

    function: Callable[[Any], Any]


def reply_json(reply: Any) -> str:
    """Returns a reply as the JSON object that a model would write."""
    return json.dumps(asdict(reply), ensure_ascii=False, separators=(",", ":"))
