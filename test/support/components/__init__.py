"""Components and camera frames for tests of components."""
