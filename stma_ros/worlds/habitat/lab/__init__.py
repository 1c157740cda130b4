"""Episodes of habitat-lab's data sets, for robots of ours.

habitat-lab lives where habitat_sim lives, which may be another, older interpreter. So there are two sides:

    reader.py     a script that runs next to habitat-lab (Python >= 3.9, nothing of ours): reads a data set with
                  habitat-lab's own classes, and writes what we need of it as JSON
    episodes.py   our side: runs the script, and checks what it wrote
    start.py      where an episode starts, as a part of a scene's name: reset(scene, seed) takes no other word

Everything in the JSON is in Habitat's frame; `episodes.py` gives it in the map's.
"""
