"""The kinds of small things that activities of people need, and that flats have not otherwise: with shape and size from
what they are."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from stma_ros.worlds.house.kinds import palette as p
from stma_ros.worlds.house.kinds.item_kind import ItemKind
from stma_ros.worlds.house.kinds.item_shapes.plain import FORMS, Size

_TABLE: Final = """
# name: form, depth x width x height [cm]
alarm: device 8x12x6
allen key: stick 2x12x1
baseball: lump 7x7x7
battery: disc 3x3x5
bath towel: cloth 18x24x6
beer bottle: bottle 6x6x23
board game: packet 20x28x5
bobby pin: stick 2x7x1
boot: packet 10x24x24
bottle: bottle 7x7x24
bottle of bleach: bottle 9x9x26
bottle of coffee: bottle 8x8x20
bottle of cooking oil: bottle 8x8x27
bottle of detergent: bottle 10x10x26
bottle of glue: bottle 5x5x14
bottle of hot sauce: bottle 5x5x17
bottle of ketchup: bottle 7x7x20
bottle of liquid soap: bottle 7x7x18
bottle of lotion: bottle 6x6x17
bottle of mayonnaise: bottle 7x7x19
bottle of medicine: bottle 5x5x10
bottle of mustard: bottle 6x6x18
bottle of olive oil: bottle 7x7x27
bottle of peanut butter: jar 8x8x11
bottle of perfume: bottle 5x5x11
bottle of shampoo: bottle 7x7x21
bottle of soup: bottle 8x8x20
bottle of tea: bottle 7x7x22
bottle of vinegar: bottle 7x7x25
bottle of vodka: bottle 8x8x28
gift bow: lump 7x7x4
bowling ball: lump 22x22x22
moving box: open box 42x52x34
packing box: open box 38x50x32
cardboard box: open box 40x54x34
box of baking soda: packet 5x9x13
box of candy: packet 6x14x10
box of cereal: packet 7x19x27
box of chocolates: packet 10x14x4
box of corn flakes: packet 7x19x27
box of lasagna: packet 6x15x20
box of oatmeal: packet 8x14x21
bra: cloth 11x15x4
bratwurst: stick 4x15x4
slice of bread: flat 11x11x2
broccoli: lump 11x11x11
broken glass: flat 7x8x2
broom: stick 8x80x8
brownie: board 6x6x4
burrito: stick 6x16x6
butter cookie: disc 6x6x2
pancake: disc 14x14x2
butternut squash: lump 11x22x11
calculator: board 9x15x2
cauldron: tub 36x36x24
can of soda: disc 7x7x12
candy cane: stick 4x16x1
canned food: disc 8x8x11
carboy: bottle 14x14x28
carryall: open box 24x40x22
carton of orange juice: packet 8x9x22
chair: board 40x40x45
cheddar: board 8x7x6
potato chips: bag 8x18x22
bag of chips: bag 8x18x22
bag of jerky: bag 5x16x20
chocolate bar: board 7x16x1
chocolate biscuit: disc 6x6x2
chocolate chip cookie: disc 7x7x2
christmas tree: lump 50x50x120
cigarette lighter: stick 3x8x2
club sandwich: board 11x11x7
coat: cloth 24x30x8
coffee cup: tub 9x9x9
coffee maker: device 22x20x32
comic book: flat 15x22x1
compost bin: tub 34x34x30
computer: device 40x18x40
cookie sheet: board 28x38x2
crayfish: lump 8x14x5
crayon: stick 1x9x1
crib: open box 70x120x60
cup of yogurt: jar 8x8x10
cupcake: disc 7x7x7
daffodil bulb: lump 5x5x6
danish: disc 10x10x4
deodorant: bottle 5x5x14
die: board 3x3x3
napkin: cloth 13x13x1
document: flat 15x21x1
dress: cloth 20x26x5
drill: packet 8x22x18
dustpan: board 24x30x6
egg: lump 5x5x6
electric kettle: device 16x20x24
eraser: board 3x6x2
fax machine: device 34x36x14
firewood: stick 11x38x11
flashlight: stick 5x17x5
folder: flat 17x24x1
food processor: device 22x20x36
french press: bottle 11x11x23
gift box: packet 20x20x16
glove: cloth 11x22x3
granola bar: stick 4x12x2
gym shoe: packet 11x28x11
half apple: lump 8x8x5
half apple pie: disc 20x20x5
half chicken: lump 14x18x10
half pizza: disc 24x24x2
hamburger: disc 10x10x7
hamper: open box 44x58x54
hair blower: packet 9x22x20
hand towel: cloth 14x18x4
hardback: flat 16x24x4
helmet: lump 24x28x19
hockey stick: stick 8x60x4
ice skate: packet 11x28x22
inhaler: packet 4x6x10
insect spray: bottle 6x6x20
jar of honey: jar 8x8x11
jar of spaghetti sauce: jar 9x9x16
jar of sugar: jar 10x10x14
jersey: cloth 20x25x4
jigsaw puzzle: packet 19x27x5
keyboard: board 15x44x3
shoelace: stick 3x10x1
lamp: device 22x22x38
lampshade: disc 28x28x22
lasagna: board 18x24x6
leek: stick 5x22x5
legal document: flat 15x21x1
letter: flat 10x18x1
shelf liner: board 22x32x1
lipstick: disc 3x3x8
magazine rack: open box 18x32x24
mail: flat 10x18x1
mango: lump 9x12x9
marker: stick 2x14x2
mason jar: tub 12x12x15
mattress: board 60x120x16
mixing bowl: tub 27x27x14
modem: device 14x20x4
monitor: device 18x54x40
computer mouse: lump 7x11x4
mousetrap: board 6x11x2
muffin: disc 7x7x7
newspaper: flat 18x26x2
pack of chocolate bars: packet 4x16x12
pack of ground beef: board 14x20x5
paintbrush: stick 3x22x2
painting: board 4x30x24
paper: flat 15x21x1
coffee filter: board 13x16x1
paperback: flat 12x19x3
parsley: lump 7x7x6
pen: stick 2x14x2
pencil: stick 1x17x1
pencil case: open box 16x30x9
pickle: lump 4x9x4
pillar candle: disc 8x8x15
pizza: disc 24x24x2
pizza box: open box 34x34x5
sculpture: bottle 14x14x30
platter: dish 34x34x3
pliers: stick 6x18x2
plywood: board 32x46x2
pomegranate: lump 10x10x10
sticky note: board 8x8x2
flower pot: tub 22x22x22
potato: lump 7x10x6
pretzel: disc 10x10x3
printer: device 34x42x18
puck: disc 8x8x3
pumpkin: lump 24x24x19
rag: cloth 15x20x2
razor: stick 5x14x3
recycling bin: open box 38x46x48
ribbon: disc 7x7x4
rose: bottle 4x4x34
carpet roll: stick 16x90x16
paper bag: open box 24x30x26
salad: lump 10x10x8
sandal: packet 10x25x6
sanitary pad: cloth 9x16x2
saucer: dish 15x15x2
saw: stick 12x46x3
scanner: device 30x42x8
scone: disc 8x8x5
scraper: stick 9x22x3
screwdriver: stick 3x20x3
scissors: stick 8x18x2
sheet: cloth 18x24x5
sheet of paper: flat 15x21x1
silver coin: disc 3x3x1
soap dish: dish 13x13x3
soccer ball: lump 22x22x22
sock: cloth 8x18x3
sourdough bread: lump 16x24x11
sugar cookie: disc 7x7x2
sushi: disc 5x5x4
sweater: cloth 20x25x6
sweet corn: stick 5x15x5
swiss cheese: board 9x13x6
knife: stick 3x22x1
fork: stick 3x20x1
tablespoon: stick 4x20x2
tank top: cloth 18x22x3
tennis ball: lump 7x7x7
textbook: flat 20x27x4
tights: cloth 10x15x3
tile: board 25x25x1
tissue: cloth 11x11x1
toast: board 10x10x2
toolbox: open box 24x46x24
tortilla: disc 18x18x1
toy box: open box 42x62x40
toy figure: disc 6x6x12
toy train set: packet 26x36x9
jeans: cloth 20x24x5
tube of toothpaste: stick 4x17x4
tulip bulb: lump 5x5x6
plastic container: open box 26x34x11
turkey: lump 24x30x17
underwear: cloth 11x14x2
onion: lump 8x8x8
dvd: board 14x19x2
wafer: board 5x9x2
waffle: board 11x11x2
walnut: lump 4x4x4
water bottle: bottle 7x7x23
wicker basket: open box 36x46x22
wrapping paper: stick 6x60x6
wreath: disc 32x32x7
yam: lump 7x16x7
rucksack: open box 26x34x34
flower vase: tub 18x18x22
trash can: tub 46x46x50
serving tray: board 34x48x3
china cup: tub 11x11x8
plastic bucket: tub 40x40x24
bok choy: lump 9x15x9
"""

_ROW = re.compile(r"(?P<name>[^:#]+): (?P<form>[a-z ]+) (?P<depth>\d+)x(?P<width>\d+)x(?P<height>\d+)")
_COLOURS = (p.TEAL, p.ORANGE, p.PURPLE, p.BROWN, p.GREEN, p.RED, p.BLUE, p.TAN)


def _kind(number: int, name: str, form_name: str, size: Size) -> ItemKind:
    form = FORMS[form_name]
    return ItemKind(
        name,
        "plastic",
        (_COLOURS[number % len(_COLOURS)],),
        (),
        partial(form.build, size),
        on=form.on(size) if form.on else None,
        inside=form.inside(size) if form.inside else (),
        lit=partial(form.lit, size) if form.lit else None,
    )


def _kinds() -> dict[str, ItemKind]:
    rows = [match for line in _TABLE.splitlines() if (match := _ROW.fullmatch(line))]
    kinds = {}
    for number, row in enumerate(rows):
        depth, width, height = (int(row[side]) / 100 for side in ("depth", "width", "height"))
        kinds[row["name"]] = _kind(number, row["name"], row["form"], (depth, width, height))
    return kinds


ACTIVITY_ITEMS: Final = _kinds()
"""The kinds by name."""
