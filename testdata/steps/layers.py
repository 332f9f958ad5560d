"""Small models and losses, of which the steps are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributed._functional_collectives import all_gather_tensor_autograd
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

WIDTH = 16
Layer = Callable[[Tensor], Tensor]
aten = torch.ops.aten


class Perceptron(nn.Module):
    def __init__(self, width: int = WIDTH, activation: Layer = F.gelu) -> None:
        super().__init__()
        self.expand = nn.Linear(width, 2 * width)
        self.contract = nn.Linear(2 * width, width)
        self.activation = activation

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(self.activation(self.expand(x)))


class Attention(nn.Module):
    def __init__(self, dropout: float = 0.0, width: int = WIDTH) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.dropout = dropout

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (2, -1)).transpose(-2, -3) for part in self.query_key_value(x).chunk(3, -1))
        scores = torch.softmax(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, -1)
        scores = F.dropout(scores, self.dropout) if self.dropout else scores
        return self.out((scores @ v).transpose(-2, -3).flatten(-2))


class FusedAttention(Attention):
    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (2, -1)).transpose(-2, -3) for part in self.query_key_value(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v).transpose(-2, -3).flatten(-2))


class Block(nn.Module):
    def __init__(self, attention: nn.Module | None = None, width: int = WIDTH) -> None:
        super().__init__()
        self.attention_norm, self.attention = nn.LayerNorm(width), attention or Attention()
        self.norm, self.perceptron = nn.LayerNorm(width), Perceptron(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x))
        return x + self.perceptron(self.norm(x))


class Convolution(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convolution, self.norm = nn.Conv2d(3, 3, 3, padding=1), nn.BatchNorm2d(3)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.norm(self.convolution(x)))


class ShardedLinear(nn.Module):
    """As FSDP: this rank has half of the weight and gathers all of it for each use."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.shard = nn.Parameter(torch.randn(width // 2, width))

    def forward(self, x: Tensor) -> Tensor:
        weight = all_gather_tensor_autograd(self.shard, 0, torch.distributed.group.WORLD)
        return torch.tanh(x @ weight.t())


class Layers(nn.Module):
    """Layers one after the other. regions: how each is called."""

    def __init__(self, layers: Sequence[nn.Module], regions: Sequence[Callable[..., Tensor]]) -> None:
        super().__init__()
        self.layers, self.regions = nn.ModuleList(layers), regions

    def forward(self, x: Tensor) -> Tensor:
        for layer, region in zip(self.layers, self.regions, strict=True):
            x = region(layer, x)
        return x


def plain(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def region(function: Callable[..., Any], *args: Any) -> Any:
    """A checkpointed region: all of it runs again."""
    return checkpoint(function, *args, use_reentrant=False)


def selective(policies: dict[Any, CheckpointPolicy], otherwise: CheckpointPolicy) -> Callable[..., Any]:
    """A region in which each operator has its policy."""

    def policy(ctx: Any, op: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
        return policies.get(op, otherwise)

    contexts = partial(create_selective_checkpoint_contexts, policy)
    return lambda function, *args: checkpoint(function, *args, use_reentrant=False, context_fn=contexts)


def nested(function: Callable[..., Any], *args: Any) -> Any:
    """A region within a region."""
    return region(partial(region, function), *args)
