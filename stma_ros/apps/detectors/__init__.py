"""`stma fetch-detector`: gets a trained detector of objects from an npm package, as an ONNX file."""
