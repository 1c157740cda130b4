"""Imports episodes of habitat-lab's data sets.

habitat-lab lives where habitat_sim lives, which may be another, older interpreter. The import therefore has two sides:

    reader.py      a script that runs next to habitat-lab (Python >= 3.9, without this package): reads a data set with
                   habitat-lab's own classes, and writes the needed parts as JSON
    reading.py     runs the script from this package
    document.py    validates the script's output
    episodes.py    the types of episodes
    scenes.py      finds the scenes of episodes on this machine
    start.py       encodes the start of an episode in a scene's name, the only channel of reset(scene, seed)
    rearranged.py  writes the scenes of rearrangement episodes, which add objects, as a data set
    naming.py      derives the categories of the objects in a scene

All positions in the JSON are in Habitat's frame.
"""
