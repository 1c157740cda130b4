"""Everyday templates in further voices, each by another author without sight of the grammar and of the other voices.

The grammar was developed on voices a to d. Voice e is held out: it is for counting, not for reading.
"""
