"""A notebook with one of each widget, as a lesson would show them."""

from pathlib import Path

import nbformat

from maintain.notebook import METADATA

# The widgets of the lessons: class → the function of course_lib.widgets that makes one. A new widget is named here,
# and is then turned by every test of this folder and timed by benchmarks/browser_latency.py. It has a control "again".
SUBJECTS = {
    "TileCostLab": "tile_cost_lab",
    "Microscope": "microscope",
    "BoxSlider": "box_slider",
    "EdgeStepper": "edge_stepper",
    "SwizzleLab": "swizzle_lab",
    "BankLab": "bank_lab",
    "VerdictDesk": "verdict_desk",
    "FloatBits": "float_bits",
    "Diagnosis": "diagnosis",
    "AddressLab": "address_lab",
    "RowCostLab": "row_cost_lab",
    "PacketLab": "packet_lab",
    "BarrierLab": "barrier_lab",
}
PREDICTIONS = {
    "number": 'number = predict("How many of the 16 words change?", number=(0, 16), name="Words that change")',
    "choices": 'choices = predict("Does the driver accept the call?", choices=["accepted", "refused"])',
    "cells": 'cells = predict("Where does the unit of row 3, column 5 land?", cells=(8, 8), name="The cell")',
    "order": 'order = predict("What comes first?", order=["wait", "expect", "copy"], name="The order")',
}
CELLS = {
    "imports": f"from course_lib.widgets import {', '.join(SUBJECTS.values())}, predict, reveal",
    **{function: f"{function}()" for function in SUBJECTS.values()},
    **PREDICTIONS,
    "reveal": 'reveal(number, model=2, hardware=2, source="NVIDIA H200")',
}


def write_sample(folder: Path) -> str:
    """Write the notebook; return its name."""
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in CELLS.items()]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=METADATA)
    nbformat.write(notebook, folder / "widgets.ipynb")
    return "widgets.ipynb"
