"""Reads replies strictly: brings forms of replies (`roles.reply`) to pydantic."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model

from stma_ros.roles.spec import UnusableReplyError

ReplyT = TypeVar("ReplyT")

_CONFIG = ConfigDict(extra="forbid", strict=True, frozen=True)
_PROBLEMS = 5  # that are listed of one reply


class ReplyForm(Generic[ReplyT]):
    """A form of replies. name: the dataclass's. schema: as JSON schema."""

    def __init__(self, form: type[ReplyT]) -> None:
        self.name = form.__name__
        self._adapter: TypeAdapter[ReplyT] = TypeAdapter(_validated(form))
        self.schema: Mapping[str, Any] = self._adapter.json_schema()

    def read(self, value: object) -> ReplyT:
        """The reply that JSON data hold: no field may be missing, and none may be there that nobody asked for.

        Raises:
            UnusableReplyError: the data are not of this form; it says which fields are wrong, and how.
        """
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            raise UnusableReplyError(_problems(error)) from None


def _validated(hint: Any) -> Any:
    """The type of a field as pydantic is to see it: dataclasses as models of which they are made again once checked."""
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
    generated = (form.__doc__ or "").startswith(f"{form.__name__}(")  # by dataclass, where there is none
    doc = None if generated else form.__doc__
    return create_model(form.__name__, __config__=_CONFIG, __doc__=doc, **fields)


def _problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, item['loc'])) or 'the reply'}: {item['msg'].rstrip('.')}"
        for item in error.errors()
    ]
    more = len(problems) - _PROBLEMS
    return "; ".join(problems[:_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
