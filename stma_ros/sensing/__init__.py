"""Camera frames, put together and checked once, from whatever they come from: live topics, bags, simulators, arrays."""
