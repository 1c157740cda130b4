"""Text adventures: story files of the z-machine, played through the interpreter of `jericho`."""
