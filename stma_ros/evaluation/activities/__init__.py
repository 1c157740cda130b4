"""The suite `activities`: what people want done in a home, as BEHAVIOR-1K defines it, in our flats."""
