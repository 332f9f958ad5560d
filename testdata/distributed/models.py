"""Models whose graphs have collectives, each on rank 0 of `RANKS`; a fake process group stands for the others."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.distributed import _functional_collectives as collectives
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn.utils import parametrize

RANKS = 8
WIDTH, HIDDEN, HEADS = 32, 64, 2
Made = tuple[nn.Module, tuple[torch.Tensor, ...]]


class Gathered(nn.Module):
    """A parameter from this rank's rows of it, which are padded where they do not divide: gathered where it is used, and the gradient
    reduced and scattered, as torchtitan's simple_fsdp does."""

    def __init__(self, rows: int, dtype: torch.dtype | None) -> None:
        super().__init__()
        self.rows, self.dtype = rows, dtype
        self.group = torch.distributed.group.WORLD

    def forward(self, shard: torch.Tensor) -> torch.Tensor:
        whole = collectives.all_gather_tensor_autograd(shard if self.dtype is None else shard.to(self.dtype), 0, self.group)
        return whole if whole.shape[0] == self.rows else whole[: self.rows]


def shard(model: nn.Module, dtype: torch.dtype | None) -> nn.Module:
    """Leaves each parameter's first shard, in float32. dtype: in which it is gathered."""
    for module in list(model.modules()):
        for name, parameter in list(module.named_parameters(recurse=False)):
            rows = -(-parameter.shape[0] // RANKS)
            setattr(module, name, nn.Parameter(parameter.detach()[:rows].clone()))
            parametrize.register_parametrization(module, name, Gathered(parameter.shape[0], dtype), unsafe=True)
    return model


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        heads = [project(x).unflatten(-1, (-1, WIDTH // HEADS)).transpose(1, 2) for project in (self.q, self.k, self.v)]
        return self.out(nn.functional.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate, self.up = nn.Linear(WIDTH, HIDDEN, bias=False), nn.Linear(WIDTH, HIDDEN, bias=False)
        self.down = nn.Linear(HIDDEN, WIDTH, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(nn.functional.silu(self.gate(x)) * self.up(x))


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.attention = nn.RMSNorm(WIDTH, eps=1e-6), Attention()
        self.second_norm, self.feed_forward = nn.RMSNorm(WIDTH, eps=1e-6), FeedForward()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.norm(x))
        return x + self.feed_forward(self.second_norm(x))


def fsdp_block() -> Made:
    """Two blocks whose parameters are gathered in bfloat16."""
    model = shard(nn.Sequential(Block(), Block()), torch.bfloat16)
    return model, (torch.randn(2, 16, WIDTH, dtype=torch.bfloat16, requires_grad=True),)


def tensor_parallel_feed_forward() -> Made:
    """Products split over the ranks by columns, then by rows, and summed."""
    mesh = init_device_mesh("cpu", (RANKS,))
    model = nn.Sequential(FeedForward(), FeedForward())
    plan = {f"{i}.{name}": ColwiseParallel() for i in range(2) for name in ("gate", "up")}
    plan |= {f"{i}.down": RowwiseParallel() for i in range(2)}
    parallelize_module(model, mesh, plan)
    return model, (torch.randn(2, 16, WIDTH, requires_grad=True),)


# Name: what makes the model, and the size of the world.
MODELS: dict[str, tuple[Callable[[], Made], int]] = {
    "fsdp_block": (fsdp_block, RANKS),
    "tensor_parallel_feed_forward": (tensor_parallel_feed_forward, RANKS),
}
