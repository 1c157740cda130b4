"""Activities of BEHAVIOR-1K, as the package `bddl` defines them: objects, initial conditions, and a goal."""
