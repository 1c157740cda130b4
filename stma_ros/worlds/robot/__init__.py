"""The simulated robot, the same in every world: how it drives, what its arm reaches and does, what goes wrong, and what
it tells of itself. A world gives it a Scene (what is there) and an Eye (what it looks like)."""
