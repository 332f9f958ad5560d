"""Layers that transformers does not have, or has larger than a measurement needs."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class SumOf(nn.Module):
    """The mean square of what the layers return: a loss."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).square().mean()


class Around(nn.Module):
    """x + layers(x)"""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.qkv, self.out = heads, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(mixed.transpose(1, 2).reshape(batch, length, width))


class Transposed(nn.Module):
    """Layers on the other axis, as in MLP-Mixer."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x.transpose(1, 2)).transpose(1, 2)


class UNet(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.down = nn.ModuleList([convolution(3, width), convolution(width, 2 * width)])
        self.middle = convolution(2 * width, 2 * width)
        self.up = nn.ModuleList([convolution(4 * width, width), convolution(2 * width, width)])
        self.last = nn.Conv2d(width, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        kept = []
        for layer in self.down:
            x = layer(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = self.middle(x)
        for layer in self.up:
            x = layer(torch.cat([F.interpolate(x, scale_factor=2.0, mode="bilinear"), kept.pop()], 1))
        return self.last(x).square().mean()


class Routed(nn.Module):
    """Two of four experts for each token, by topk."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.router = nn.Linear(width, 4)
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(4)])

    def forward(self, x: Tensor) -> Tensor:
        weights, chosen = self.router(x).softmax(-1).topk(2)
        gates = torch.zeros(*x.shape[:-1], 4).scatter(-1, chosen, weights)
        mixed = sum(gates[..., i : i + 1] * F.gelu(expert(x)) for i, expert in enumerate(self.experts))
        return mixed.square().mean()


class Tagger(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.embedding, self.norm, self.head = nn.Embedding(500, width), nn.LayerNorm(width), nn.Linear(width, 500)

    def forward(self, x: Tensor) -> Tensor:
        h = self.norm(self.embedding(x)).cumsum(1)
        return F.cross_entropy(self.head(h.sort(1).values).flatten(0, 1), x.flatten())


def convolution(before: int, after: int) -> nn.Module:
    return nn.Sequential(nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU())


class GatedLoop(nn.Module):
    """An LSTM's steps one by one."""

    def __init__(self, width: int, steps: int) -> None:
        super().__init__()
        self.steps, self.of_input, self.of_state = steps, nn.Linear(width, 4 * width), nn.Linear(width, 4 * width)

    def forward(self, x: Tensor) -> Tensor:
        state = memory = torch.zeros_like(x[:, 0])
        states = []
        for step in range(self.steps):
            new, kept, shown, offered = (self.of_input(x[:, step]) + self.of_state(state)).chunk(4, -1)
            memory = kept.sigmoid() * memory + new.sigmoid() * offered.tanh()
            state = shown.sigmoid() * memory.tanh()
            states.append(state)
        return torch.stack(states, 1)
