"""The part that runs next to habitat_sim, in this process or another, possibly under an older Python (3.9 or later).

It imports only the standard library, numpy, habitat_sim with its magnum, and its own modules by relative imports:
interpreters in which this project is not installed load it from its folder.
"""
