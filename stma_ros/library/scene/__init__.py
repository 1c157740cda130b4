"""What a scene memory is made of: keyframes, detections, the place that is remembered, and what is read from it."""
