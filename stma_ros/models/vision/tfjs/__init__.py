"""Converts graph models of TensorFlow.js into ONNX files.

`conversion.convert_graph_model` is the entry; a further operation is a function and its row in `table.py`.
"""
