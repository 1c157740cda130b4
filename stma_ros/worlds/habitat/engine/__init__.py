"""What runs next to habitat_sim, in this process or another, possibly under an older Python (3.9 on).

It imports nothing but the standard library, numpy, habitat_sim with its magnum, and itself by relative imports: it is
loaded from its folder by interpreters in which this project is not installed.
"""
