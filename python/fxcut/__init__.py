"""Into and out of PyTorch: joint graphs for the fxcut program, and its partitions for a training step."""

from fxcut.naming_operator import checkpoint_name
from fxcut.joint_graphs import NothingCaptured, capture, capture_with
from fxcut.torch_version import UnsupportedTorch

__all__ = ["NothingCaptured", "UnsupportedTorch", "capture", "capture_with", "checkpoint_name"]
