"""Models whose eager training saves what was decided: each with its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Step = tuple[nn.Module, tuple[Any, ...]]


class RootOfMeanSquares(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Attention(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Gated(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.gate, self.up, self.down = (nn.Linear(width, 2 * width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Layer(nn.Module):
    def __init__(self, norm: Callable[[int], nn.Module], attention: nn.Module, mlp: nn.Module, dropout: float = 0.0) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = norm(32), norm(32)
        self.attention, self.mlp, self.dropout = attention, mlp, nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.dropout(self.attention(self.norm_1(x)))
        return x + self.dropout(self.mlp(self.norm_2(x)))


class Layers(nn.Module):
    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.embed, self.layers, self.head = nn.Embedding(50, 32), nn.ModuleList(layers), nn.Linear(32, 50)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return F.cross_entropy(self.head(x).flatten(0, 1), ids.flatten())


def token_ids() -> tuple[Tensor]:
    return (torch.randint(0, 50, (2, 24)),)


def attention() -> Step:
    return Layers(*(Layer(RootOfMeanSquares, Attention(32, 4), Gated(32)) for _ in range(3))), token_ids()


def dropout() -> Step:
    def mlp() -> nn.Module:
        return nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Dropout(0.2), nn.Linear(64, 32))

    return Layers(*(Layer(nn.LayerNorm, Attention(32, 4), mlp(), dropout=0.1) for _ in range(2))), token_ids()


def attention_dropout() -> Step:
    return Layers(*(Layer(nn.LayerNorm, Attention(32, 4, dropout=0.1), Gated(32), dropout=0.1) for _ in range(2))), token_ids()


class Residual(nn.Module):
    def __init__(self, channels: int, inplace: bool) -> None:
        super().__init__()
        self.conv_1, self.norm_1 = nn.Conv2d(channels, channels, 3, padding=1), nn.BatchNorm2d(channels)
        self.conv_2, self.norm_2 = nn.Conv2d(channels, channels, 3, padding=1), nn.GroupNorm(2, channels)
        self.relu = nn.ReLU(inplace=inplace)

    def forward(self, x: Tensor) -> Tensor:
        y = self.relu(self.norm_1(self.conv_1(x)))
        return self.relu(self.norm_2(self.conv_2(y)) + x)


class Convolutions(nn.Module):
    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU(inplace=inplace), nn.MaxPool2d(2))
        self.stages = nn.Sequential(Residual(8, inplace), Residual(8, inplace))
        self.head = nn.Linear(8, 5)

    def forward(self, image: Tensor) -> Tensor:
        return self.head(self.stages(self.stem(image)).mean((2, 3))).logsumexp(-1).sum()


def convolutions() -> Step:
    return Convolutions(), (torch.randn(4, 3, 32, 32),)


def written_in_place() -> Step:
    return Convolutions(inplace=True), (torch.randn(4, 3, 32, 32),)


class Mixture(nn.Module):
    """The two best of four experts, each on all tokens."""

    def __init__(self) -> None:
        super().__init__()
        self.router, self.experts = nn.Linear(32, 4), nn.ModuleList(Gated(32) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.router(x).softmax(-1).topk(2)
        weights = torch.zeros_like(self.router(x)).scatter(-1, chosen, weights / weights.sum(-1, keepdim=True))
        return sum(weights[..., i, None] * expert(x) for i, expert in enumerate(self.experts))


def mixture() -> Step:
    return Layers(*(Layer(nn.LayerNorm, Attention(32, 2), Mixture()) for _ in range(2))), token_ids()


class Nested(nn.Module):
    """Modules in modules, one of which is called twice, and operators between them."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.ModuleDict({"a": nn.Sequential(nn.Linear(32, 32), nn.Tanh()), "b": Gated(32)})
        self.shared = nn.Sequential(nn.Linear(32, 32), nn.Sequential(nn.Sigmoid(), nn.Linear(32, 32)))

    def forward(self, x: Tensor, scale: Tensor) -> Tensor:
        y = torch.sin(self.shared(self.inner["a"](x)) * scale)
        z = torch.sin(self.shared(self.inner["b"](y) + x) * scale)
        return torch.sin(z @ y.transpose(0, 1)).exp().mean()


def nested() -> Step:
    return Nested(), (torch.randn(16, 32), torch.rand(32))


class Recurrent(nn.Module):
    """One cell, called for each step of a sequence."""

    def __init__(self) -> None:
        super().__init__()
        self.gates, self.state = nn.Linear(24, 32), nn.Linear(24, 16)

    def cell(self, x: Tensor, h: Tensor) -> Tensor:
        reset, update = self.gates(torch.cat([x, h], -1)).sigmoid().chunk(2, -1)
        return (1 - update) * h + update * torch.tanh(self.state(torch.cat([x, reset * h], -1)))

    def forward(self, sequence: Tensor) -> Tensor:
        h = sequence.new_zeros(sequence.shape[1], 16)
        for x in sequence.unbind(0):
            h = self.cell(x, h)
        return h.square().sum()


def recurrent() -> Step:
    return Recurrent(), (torch.randn(4, 6, 8),)


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, activation="gelu", batch_first=True)
        self.embed, self.encoder = nn.Conv1d(8, 32, 3, padding=1), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm, self.head = nn.InstanceNorm1d(32, affine=True), nn.Bilinear(32, 32, 4)

    def forward(self, x: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16, cache_enabled=False):
            y = self.norm(self.embed(x)).transpose(1, 2)
        y = self.encoder(y.float()).amax(1)
        return F.log_softmax(self.head(y, torch.flip(y, (1,))), -1)[:, 0].neg().sum()


def encoder() -> Step:
    return Encoder(), (torch.randn(3, 8, 20),)


MODELS: dict[str, Callable[[], Step]] = {
    "attention": attention,
    "dropout": dropout,
    "attention_dropout": attention_dropout,
    "convolutions": convolutions,
    "mixture": mixture,
    "nested": nested,
    "recurrent": recurrent,
    "encoder": encoder,
}
