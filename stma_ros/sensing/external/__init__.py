"""The detections of nodes and files outside of this package, as one kind of message (ExternalDetections)."""
