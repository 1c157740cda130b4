"""Parts of a scene memory: keyframes, detections, the memory of a place and its file, scene graph, answers."""
