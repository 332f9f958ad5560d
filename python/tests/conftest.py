import os
import sys
from pathlib import Path

import pytest

# inductor's own helpers each import PyTorch, for every process; with a process a core they would only share it.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # read where PyTorch is imported

import torch  # noqa: E402

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
    """The graphs captured from this PyTorch, beside the checkout or, for certain, where the environment says."""
    named = os.environ.get("FXCUT_CORPUS")
    release = ".".join(torch.__version__.split(".")[:2])
    folder = Path(named or CHECKOUT.parent / "shared" / "corpus") / f"torch-{release}"
    if not folder.exists():
        (pytest.fail if named else pytest.skip)(f"no graphs in {folder}")
    return folder


@pytest.fixture
def schema() -> Path:
    return CHECKOUT / "schemas" / "joint_graph.schema.json"
