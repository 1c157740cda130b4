"""The activities of the suite: those of the package `bddl` that take place in rooms of a home, and whose initial
conditions and goals are relations and states that flats know."""

from __future__ import annotations

from typing import Final

from stma_ros.worlds.bddl.expressions import literals
from stma_ros.worlds.bddl.problem import Problem
from stma_ros.worlds.house.activities.classes import PREDICATES, ROOMS

_NAMES: Final = """
assembling_gift_baskets
boxing_books_up_for_storage
bringing_paper_to_recycling
bringing_water
clean_up_after_a_dinner_party
clean_up_broken_glass
clean_up_your_desk
cleaning_out_drawers
cleaning_up_plates_and_food
clearing_food_from_table_into_fridge
clearing_table_after_snacks
clearing_the_table_after_dinner
collecting_aluminum_cans
collecting_childrens_toys
collecting_dishes_from_around_house
composting_waste
defrosting_freezer
dispose_of_a_pizza_box
dispose_of_batteries
dispose_of_paper
donating_clothing
donating_toys
emptying_trash_cans
fold_a_tortilla
getting_organized_for_work
installing_a_fax_machine
installing_a_modem
installing_a_printer
installing_a_scanner
installing_alarms
installing_carpet
laying_tile_floors
laying_wood_floors
lighting_fireplace
line_kitchen_shelves
make_a_car_emergency_kit
make_a_military_care_package
make_dinosaur_goody_bags
make_gift_bags_for_baby_showers
make_rose_centerpieces
moving_stuff_to_storage
opening_doors
opening_windows
organizing_art_supplies
organizing_file_cabinet
organizing_office_documents
organizing_school_stuff
organizing_skating_stuff
outfit_a_basic_toolbox
pack_a_pencil_case
pack_your_gym_bag
packing_bags_or_suitcase
packing_hobby_equipment
picking_up_books_at_library
picking_up_take_out_food
picking_up_toys
picking_up_trash
prepare_a_breakfast_bar
prepare_an_emergency_school_kit
preparing_clothes_for_the_next_day
preparing_food_for_a_fundraiser
preparing_lunch_box
putting_away_Christmas_decorations
putting_away_Halloween_decorations
putting_away_cleaning_supplies
putting_away_games
putting_away_toys
putting_dishes_away_after_cleaning
putting_leftovers_away
putting_out_condiments
putting_shoes_on_rack
putting_shopping_away
putting_up_Christmas_decorations_inside
re_shelving_library_books
rearrange_your_room
rearranging_furniture
rearranging_kitchen_furniture
recycling_glass_bottles
recycling_newspapers
recycling_office_papers
serving_hors_d_oeuvres
set_up_a_coffee_station_in_your_kitchen
setting_mousetraps
setting_the_table
setting_up_room_for_games
setting_up_toy_train_track
setup_a_baby_crib
sorting_art_supplies
sorting_books_on_shelf
sorting_bottles_cans_and_paper
sorting_household_items
sorting_mail
sorting_newspapers_for_recycling
sorting_potatoes
sorting_vegetables
stash_snacks_in_your_room
store_an_uncooked_turkey
store_baking_soda
store_batteries
store_beer
store_bobby_pins
store_brownies
store_daffodil_bulbs
store_firewood
store_honey
store_nuts
store_produce
store_silver_coins
store_tulip_bulbs
store_vodka
storing_food
taking_clothes_out_of_the_dryer
tidying_bedroom
tidying_living_room
turning_on_radio
turning_out_all_lights_before_sleep
unloading_groceries
unloading_shopping_items
unpacking_childs_bag
unpacking_hobby_equipment
unpacking_suitcase
"""

NAMES: Final = tuple(_NAMES.split())
"""The names of the activities, sorted: all of bddl 3.6.0 for which `is_relational` holds."""


def is_reporting(name: str) -> bool:
    """Whether an activity is for reporting only, and nothing is developed on it: its name has an even sum of bytes."""
    return sum(name.encode()) % 2 == 0


def is_relational(problem: Problem) -> bool:
    """Whether an activity takes place in rooms of a home and is about relations and states that flats know."""
    atoms = [literal.atom for literal in (*problem.initial, *literals(problem.goal))]
    rooms = [atom.terms[1] for atom in atoms if atom.predicate == "inroom"]
    return all(atom.predicate in PREDICATES for atom in atoms) and all(room in ROOMS for room in rooms)
