"""The verbs of household requests and their forms."""

from __future__ import annotations

from typing import Final

_IRREGULAR_PARTICIPLES = {
    "put": "put",
    "set": "set",
    "lay": "laid",
    "bring": "brought",
    "take": "taken",
    "leave": "left",
    "throw": "thrown",
    "hang": "hung",
    "get": "got",
    "give": "given",
    "shut": "shut",
    "run": "run",
    "find": "found",
    "keep": "kept",
    "stick": "stuck",
    "slide": "slid",
    "sweep": "swept",
    "sling": "slung",
    "fling": "flung",
}
_DOUBLING = (
    "put",
    "slip",
    "set",
    "drop",
    "transfer",
    "shut",
    "get",
    "grab",
    "run",
    "stop",
    "let",
    "pop",
    "plop",
    "prop",
    "drag",
    "lug",
    "chuck up",
)

FINDING = "find locate spot detect discover seek search look hunt track"
PUTTING = (
    "put place set lay drop leave throw toss chuck dump stick stack store stow hang load shift transfer"
    " relocate move"
    " return deposit insert park pop shove tuck file arrange pile position keep rest slide push add stuff"
    " stand"
    " gather collect sort replace plop slip lean prop stash plonk plunk ditch bung sling fling squeeze shunt drag lug"
    " heave scoot wedge nestle ferry schlep trundle escort convey"
)
TAKING = (
    "bring carry take get fetch deliver transport grab pick remove retrieve collect hand give pass haul"
    " lift hold"
    " unload"
)
TIDYING = "tidy clean clear"
CHANGING = (
    "open close shut turn switch flick power start run stop activate deactivate enable disable boot flip click"
    " kill pull"
    " extinguish fill refill top empty pour drain tip launch"
)

SAME_IN_THE_PAST: Final = ("put", "set", "shut", "spread")

BASES: Final = tuple(dict.fromkeys(f"{FINDING} {PUTTING} {TAKING} {TIDYING} {CHANGING}".split()))


def _participle(base: str) -> str:
    if base in _IRREGULAR_PARTICIPLES:
        return _IRREGULAR_PARTICIPLES[base]
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return _stem(base) + "ed"


def _gerund(base: str) -> str:
    return base + "ing" if base.endswith("ee") else _stem(base) + "ing"


def _stem(base: str) -> str:
    if base.endswith("e"):
        return base[:-1]
    return base + base[-1] if base in _DOUBLING else base


_IRREGULAR_PASTS = {
    "take": "took",
    "give": "gave",
    "run": "ran",
    "make": "made",
    "see": "saw",
    "tell": "told",
}

PARTICIPLES: Final = {_participle(base): base for base in BASES}
GERUNDS: Final = {
    _gerund(base): base
    for base in (
        *(*BASES, "make", "see", "ensure", "check", "have", "show", "tell", "help", "try"),
        *("work", "figure", "determine", "point", "report", "let", "do", "scout", "go"),
    )
}
PASTS: Final = {
    _IRREGULAR_PASTS.get(base) or _participle(base): base
    for base in (*BASES, "make", "tell", "see", "ensure", "check")
}
