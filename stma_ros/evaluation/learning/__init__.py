"""What the measurement of learning needs besides episodes: a control without use, and paired comparisons."""
