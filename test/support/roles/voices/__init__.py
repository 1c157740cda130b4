"""Everyday templates in further voices, each by another author without sight of the grammar and of the other voices.

The grammar was developed on all of them.
"""
