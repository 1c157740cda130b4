"""Validates replies against reply forms (`roles.reply`) with pydantic."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model

from stma_ros.roles.spec import UnusableReplyError

ReplyT = TypeVar("ReplyT")

_CONFIG = ConfigDict(extra="forbid", strict=True, frozen=True)
_MAX_PROBLEMS = 5  # listed for one reply


class ReplyForm(Generic[ReplyT]):
    """A reply form as pydantic validates it.

    Attributes:
        name: of the dataclass.
        schema: JSON schema of the form.
    """

    def __init__(self, form: type[ReplyT]) -> None:
        self.name = form.__name__
        self._adapter: TypeAdapter[ReplyT] = TypeAdapter(_validated(form))
        self.schema: Mapping[str, Any] = self._adapter.json_schema()

    def read(self, value: object) -> ReplyT:
        """Returns the reply in parsed JSON data.

        Raises:
            UnusableReplyError: a field is missing, unknown or invalid; the message names the fields and the reasons.
        """
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise UnusableReplyError(_problems(error)) from None


def _validated(hint: Any) -> Any:
    """Returns the type of a field for pydantic: a dataclass becomes a model, and is made from it after validation."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        make: type = hint
        return Annotated[_model(make), AfterValidator(lambda model: make(**vars(model)))]
    if get_origin(hint) is Annotated:
        kind, *checks = get_args(hint)
        kind = _validated(kind)
        for check in checks:
            kind = Annotated[kind, AfterValidator(check.function)]
        return kind
    if get_origin(hint) is list:
        (item,) = get_args(hint)
        return list[_validated(item)]  # type: ignore[misc]
    return hint


@cache
def _model(form: type) -> type[BaseModel]:
    hints = get_type_hints(form, include_extras=True)
    fields: dict[str, Any] = {
        field.name: (_validated(hints[field.name]), ...) for field in dataclasses.fields(form)
    }
    # `dataclass` generates a docstring for a form that has none.
    is_generated = (form.__doc__ or "").startswith(f"{form.__name__}(")
    doc = None if is_generated else form.__doc__
    return create_model(form.__name__, __config__=_CONFIG, __doc__=doc, **fields)


def _problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, item['loc'])) or 'the reply'}: {item['msg'].rstrip('.')}"
        for item in error.errors()
    ]
    more = len(problems) - _MAX_PROBLEMS
    return "; ".join(problems[:_MAX_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
