"""The corpus's small functions, written again: name of the graph -> how it comes about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
import torch.utils.checkpoint as checkpointing
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


class Example(NamedTuple):
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    backend: str = "inductor"
    dynamic: bool | None = None


def leaf(*shape: int) -> Tensor:
    return torch.randn(*shape, requires_grad=True)


def leaves(*shapes: tuple[int, ...]) -> Callable[[], tuple[Tensor, ...]]:
    return lambda: tuple(leaf(*shape) for shape in shapes)


def sines_and_products(x: Tensor, w: Tensor) -> Tensor:
    return torch.sigmoid(torch.cos(torch.sin(x) @ w) @ w)


def layernorm_gelu(x: Tensor, weight: Tensor, bias: Tensor, w: Tensor) -> Tensor:
    return F.gelu(F.layer_norm(x, (64,), weight, bias)) @ w


def relu_dropout(x: Tensor, w: Tensor) -> Tensor:
    return F.dropout(torch.relu(x @ w), 0.3)


def dropout_in_checkpoint(x: Tensor, w1: Tensor, w2: Tensor) -> Tensor:
    h = checkpoint(relu_dropout, x, w1, use_reentrant=False)
    return checkpoint(relu_dropout, h, w2, use_reentrant=False).sum()


def tanh_of_product(x: Tensor, w: Tensor) -> Tensor:
    return torch.tanh(x @ w)


def consecutive_checkpoints(x: Tensor, *weights: Tensor) -> Tensor:
    for w in weights:
        x = checkpoint(tanh_of_product, x, w, use_reentrant=False)
    return x.sum()


def save_products(ctx: Any, op: Any, *args: Any, **kwargs: Any) -> Any:
    is_product = op == torch.ops.aten.mm.default
    policies = checkpointing.CheckpointPolicy
    return policies.MUST_SAVE if is_product else policies.PREFER_RECOMPUTE


def sines_and_sigmoid(x: Tensor, w1: Tensor, w2: Tensor) -> Tensor:
    return torch.sigmoid(torch.sin(x @ w1) @ w2)


def sac_save_mm(x: Tensor, w1: Tensor, w2: Tensor) -> Tensor:
    contexts = partial(checkpointing.create_selective_checkpoint_contexts, save_products)
    return checkpoint(sines_and_sigmoid, x, w1, w2, use_reentrant=False, context_fn=contexts).sum()


def dynamic_mlp(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    h = torch.relu(x @ w + b)
    return (h.view(-1, 4, 8).transpose(1, 2) * x.shape[0]).sum(0)


def unbacked_nonzero(x: Tensor, w: Tensor) -> Tensor:
    rows = (x.sum(-1) > 0).nonzero().squeeze(-1)
    return torch.sin(x[rows] @ w).sum()


def input_mutation(running: Tensor, x: Tensor) -> Tensor:
    with torch.no_grad():
        running.mul_(0.9).add_(x.sum(0))
    return (x * torch.sin(running)).sum()


class ConvolutionNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).mean()


def relu_of_sine(x: Tensor, w: Tensor) -> Tensor:
    return torch.relu(torch.sin(x) @ w)


def tanh_of_cosine(x: Tensor, w: Tensor) -> Tensor:
    return torch.tanh(torch.cos(x) @ w)


def cond_branches(x: Tensor, w: Tensor) -> Tensor:
    h = x @ w
    return (torch.cond(h.detach().sum() > 0, relu_of_sine, tanh_of_cosine, (h, w)) * h).sum()


def views_only(x: Tensor) -> Tensor:
    y = x.view(4, 4, 16).permute(1, 0, 2)[:, :, ::2].unsqueeze(0).expand(3, 4, 4, 8)
    a, b = y.split(2, 1)
    return (torch.sin(a) * torch.cos(b.squeeze(0))).sum()


def mixed_precision(model: nn.Module, x: Tensor) -> Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        y = model(x)
    return F.mse_loss(y.float(), x)


def mixed_precision_arguments() -> tuple[nn.Module, Tensor]:
    return nn.Sequential(nn.Linear(64, 128), nn.SiLU(), nn.Linear(128, 64)), leaf(32, 64)


def loss_of_linear(layer: nn.Linear, x: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(layer(x), target, label_smoothing=0.1)


EXAMPLES = {
    "seed_sin_mm_cos_mm_sigmoid": Example(sines_and_products, leaves((16, 16), (16, 16)), "aot_eager"),
    "layernorm_gelu": Example(layernorm_gelu, leaves((16, 64), (64,), (64,), (64, 64))),
    "dropout_in_checkpoint": Example(dropout_in_checkpoint, leaves((16, 32), (32, 32), (32, 32))),
    "dropout_in_checkpoint_eager": Example(dropout_in_checkpoint, leaves((16, 32), (32, 32), (32, 32)), "aot_eager"),
    "consecutive_checkpoints": Example(consecutive_checkpoints, leaves(*[(16, 16)] * 6)),
    "sac_save_mm": Example(sac_save_mm, leaves((16, 32), (32, 32), (32, 32))),
    "dynamic_mlp": Example(dynamic_mlp, leaves((12, 16), (16, 32), (32,)), dynamic=True),
    "unbacked_nonzero": Example(unbacked_nonzero, leaves((16, 8), (8, 8))),
    "input_mutation": Example(input_mutation, lambda: (torch.zeros(4), leaf(8, 4))),
    "batchnorm_mutation": Example(lambda m, x: m(x), lambda: (ConvolutionNorm(), leaf(4, 3, 16, 16))),
    "cond_branches": Example(cond_branches, leaves((8, 8), (8, 8)), "aot_eager"),
    "views_only": Example(views_only, leaves((16, 16))),
    "mixed_precision_autocast": Example(mixed_precision, mixed_precision_arguments),
    "seq_loss_cross_entropy": Example(
        loss_of_linear, lambda: (nn.Linear(64, 1000), leaf(32, 64), torch.randint(0, 1000, (32,)))
    ),
}
if not hasattr(checkpointing, "CheckpointPolicy"):  # before 2.5 regions have no policies
    del EXAMPLES["sac_save_mm"]
