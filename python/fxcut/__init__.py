"""Into and out of PyTorch: joint graphs for the fxcut program, and its partitions for a training step."""

import fxcut.torch_releases  # noqa: F401  before everything that imports torch, because it reports a missing one

# isort: split

from fxcut.added_nodes import AnswerNotUnderstood
from fxcut.batch_sizes import BatchSizes, largest_batch
from fxcut.binary import BinaryFailed, BinaryNotFound, NoPartition
from fxcut.compression_errors import measure_compression
from fxcut.errors import FxcutError, InternalError, InvalidArgument, UnsupportedTorch
from fxcut.fitting import DoesNotFit, Fit, fit
from fxcut.joint_graphs import NothingCaptured, capture, capture_with, profile
from fxcut.naming_operator import checkpoint_name
from fxcut.own_process import OwnProcessFailed
from fxcut.partitioner import Partitioner, partitioning_by
from fxcut.random_numbers import OtherRandomNumbers
from fxcut.report import Report
from fxcut.stand_in import StandInNotFound
from fxcut.step_capture import capture_step, capture_step_with
from fxcut.step_rematerialization import rematerialize_step, rematerializing_steps
from fxcut.targets import UnknownTarget
from fxcut.traced_steps import TracedStep, trace_step
from fxcut.version import __version__

__all__ = [
    "AnswerNotUnderstood",
    "BatchSizes",
    "BinaryFailed",
    "BinaryNotFound",
    "DoesNotFit",
    "Fit",
    "FxcutError",
    "InternalError",
    "InvalidArgument",
    "NoPartition",
    "NothingCaptured",
    "OtherRandomNumbers",
    "OwnProcessFailed",
    "Partitioner",
    "Report",
    "StandInNotFound",
    "TracedStep",
    "UnknownTarget",
    "UnsupportedTorch",
    "__version__",
    "capture",
    "capture_step",
    "capture_step_with",
    "capture_with",
    "checkpoint_name",
    "fit",
    "largest_batch",
    "measure_compression",
    "partitioning_by",
    "profile",
    "rematerialize_step",
    "rematerializing_steps",
    "trace_step",
]
