"""Episodes of habitat-lab's data sets, for robots of ours.

habitat-lab lives where habitat_sim lives, which may be another, older interpreter. So there are two sides:

    reader.py      a script that runs next to habitat-lab (Python >= 3.9, nothing of ours): reads a data set with
                   habitat-lab's own classes, and writes what we need of it as JSON
    reading.py     our side: runs the script
    document.py    checks what it wrote
    episodes.py    the types of what is read
    scenes.py      where its scenes are here
    start.py       where an episode starts, as a part of a scene's name: reset(scene, seed) takes no other word
    rearranged.py  the scenes of rearrangement episodes, which have more in them than the data set knows, as a data set
    naming.py      what people call what is in them

Everything in the JSON is in Habitat's frame.
"""
