"""The notebook runs from its first cell to its last, and shows its pictures and its animation."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "tour.ipynb"


# Its own libraries warn.
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs() -> None:
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    kinds = [
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
        if kind.startswith("image/")
    ]
    assert kinds == ["image/png", "image/gif", "image/png", "image/png"]
