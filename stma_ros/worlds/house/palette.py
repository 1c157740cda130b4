"""The colours of small things, sRGB."""

from __future__ import annotations

RED, BLUE, GREEN, YELLOW = (200, 58, 52), (58, 102, 176), (72, 146, 84), (236, 196, 62)
ORANGE, PINK, PURPLE, TEAL = (236, 134, 48), (226, 140, 164), (126, 88, 164), (56, 150, 152)
WHITE, BLACK, GREY, STEEL = (244, 244, 240), (40, 40, 44), (130, 132, 136), (190, 194, 200)
BROWN = (130, 88, 56)
LIVELY = (RED, BLUE, GREEN, YELLOW, TEAL, PURPLE, ORANGE)
