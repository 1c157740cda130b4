"""The colours of small things and of luminous parts, sRGB."""

from __future__ import annotations

RED, BLUE, GREEN, YELLOW = (200, 58, 52), (58, 102, 176), (72, 146, 84), (238, 212, 50)
ORANGE, PINK, PURPLE, TEAL = (236, 134, 48), (226, 140, 164), (126, 88, 164), (56, 150, 152)
WHITE, BLACK, GREY, STEEL = (244, 244, 240), (40, 40, 44), (130, 132, 136), (176, 180, 184)
BROWN, TAN = (130, 88, 56), (206, 170, 118)
ROYAL, SKY = (46, 72, 160), (70, 170, 235)
LIVELY = (RED, BLUE, GREEN, YELLOW, PURPLE, ORANGE)
GLAZES = (RED, ROYAL, GREEN, YELLOW, WHITE)

WARM, SCREEN, GLOWING = (255, 196, 90), (90, 170, 255), (255, 90, 40)
"""The colours of lights as built: a bulb or a display, a screen, red heat. The look of a device changes them."""
