import hashlib
import os
import sys
from pathlib import Path

import pytest

# inductor's own helpers each import PyTorch, for every process; with a process a core they would only share it.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")  # read where PyTorch is imported

import torch  # noqa: E402

from fxcut import torch_releases  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
pytest.register_assert_rewrite("steps")
CHECKOUT = HERE.parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--drawn-by", metavar="WORD", default="", help="with --part: draws other tests with each word")
    parser.addoption("--part", metavar="K/N", default="0/1", help="only the Kth of N parts of the tests, from 0")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, parts = (int(number) for number in config.getoption("--part").split("/"))

    def is_drawn(item: pytest.Item) -> bool:
        drawn = hashlib.sha256(f"{config.getoption('--drawn-by')} {item.nodeid}".encode())
        return int.from_bytes(drawn.digest()[:8], "big") % parts == part

    config.hook.pytest_deselected(items=[item for item in items if not is_drawn(item)])
    items[:] = [item for item in items if is_drawn(item)]


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Every test starts from the same random numbers and with nothing compiled, and adds up in one order."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    torch.compiler.reset()


CORPORA = ((2, 13), (2, 15))
# What PyTorch before 2.8 runs: the rest is about decisions.
OF_CAPTURE = ("test_capture.py", "test_capture_script.py", "test_releases.py", "test_user_source.py")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    is_test = collection_path.name.startswith("test_")
    return True if is_test and not torch_releases.DECISIONS.is_met() and collection_path.name not in OF_CAPTURE else None


@pytest.fixture
def corpus() -> Path | None:
    """The graphs captured from this PyTorch, next to the checkout or where the environment says; None for a release without
    any."""
    if torch_releases.RELEASE not in CORPORA:
        return None
    named = os.environ.get("FXCUT_CORPUS")
    release = torch_releases.written(torch_releases.RELEASE)
    folder = Path(named or CHECKOUT.parent / "shared" / "corpus") / f"torch-{release}"
    if not folder.exists():
        (pytest.fail if named else pytest.skip)(f"no graphs in {folder}")
    return folder


@pytest.fixture
def schema() -> Path:
    return CHECKOUT / "schemas" / "joint_graph.schema.json"
