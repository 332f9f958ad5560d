import os
import sys
from pathlib import Path

import pytest
import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
pytest.register_assert_rewrite("steps")
CHECKOUT = HERE.parent.parent


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Every test starts from the same random numbers and with nothing compiled, and adds up in one order."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    torch.compiler.reset()


@pytest.fixture
def corpus() -> Path:
    """The graphs captured from this PyTorch, beside the checkout."""
    folder = Path(os.environ.get("FXCUT_CORPUS", CHECKOUT.parent / "shared" / "corpus"))
    release = ".".join(torch.__version__.split(".")[:2])
    if not folder.exists():
        pytest.skip(f"no corpus at {folder}")
    return folder / f"torch-{release}"


@pytest.fixture
def schema() -> Path:
    return CHECKOUT / "schemas" / "graph.schema.json"
