"""What the models of models.py are made of."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def tokens(*shape: int, below: int) -> Tensor:
    return torch.randint(0, below, shape)


def layers_of(count: int, make: Callable[[], list[nn.Module]]) -> list[nn.Module]:
    return [module for _ in range(count) for module in make()]


def feed_forward(width: int, activation: Callable[[], nn.Module] = nn.GELU, dropout: float = 0.0) -> nn.Module:
    after = [nn.Dropout(dropout)] if dropout else []
    return nn.Sequential(nn.Linear(width, 4 * width), activation(), nn.Linear(4 * width, width), *after)


class Loss(nn.Module):
    """loss: of the model's result and the inputs after the first."""

    def __init__(self, model: nn.Module, loss: Callable[..., Tensor]) -> None:
        super().__init__()
        self.model, self.loss = model, loss

    def forward(self, x: Tensor, *targets: Tensor) -> Tensor:
        return self.loss(self.model(x), *targets)


class RmsNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype)


class Residual(nn.Module):
    """after: the norm is that of the sum."""

    def __init__(
        self, width: int, inner: nn.Module, norm: Callable[[int], nn.Module] = nn.LayerNorm, after: bool = False
    ) -> None:
        super().__init__()
        self.norm, self.inner, self.after = norm(width), inner, after

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(x + self.inner(x)) if self.after else x + self.inner(self.norm(x))


class Gated(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.gate, self.up, self.down = (nn.Linear(a, b, bias=False) for a, b in ((width, inner), (width, inner), (inner, width)))

    def forward(self, x: Tensor) -> Tensor:
        return self.down(F.silu(self.gate(x)) * self.up(x))


class Attention(nn.Module):
    """written_out: as products and a softmax. biased: by the distance of two positions, as in T5."""

    def __init__(
        self, width: int, heads: int, written_out: bool = False, causal: bool = False, biased: bool = False, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.heads, self.written_out, self.causal, self.dropout = heads, written_out, causal, dropout
        self.into, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.bias = nn.Embedding(64, heads) if biased else None

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.into(x).chunk(3, -1))
        y = self._weights(q, k) @ v if self.written_out else self._fused(q, k, v)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))

    def _fused(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout, is_causal=self.causal)

    def _weights(self, q: Tensor, k: Tensor) -> Tensor:
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        positions = torch.arange(q.shape[-2], device=q.device)
        apart = positions - positions[:, None]
        if self.bias is not None:
            scores = scores + self.bias(apart.clamp(-32, 31) + 32).permute(2, 0, 1)
        if self.causal:
            scores = scores.masked_fill(apart > 0, float("-inf"))
        return F.dropout(scores.float().softmax(-1), self.dropout).to(q.dtype)


class Rotary(nn.Module):
    """Attention as in Llama, whose keys and values are each for several heads. shared: how many heads of these there are."""

    def __init__(self, width: int, heads: int, shared: int) -> None:
        super().__init__()
        self.heads, self.shared, self.each = heads, shared, width // heads
        self.q, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k, self.v = (nn.Linear(width, shared * self.each, bias=False) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (f(x).view(batch, length, -1, self.each).transpose(1, 2) for f in (self.q, self.k, self.v))
        powers = torch.arange(0, self.each, 2, device=x.device).float() / self.each
        angles = torch.outer(torch.arange(length, device=x.device).float(), 1e4**-powers)
        turn = torch.cat([angles, angles], -1)
        q, k = self._turned(q, turn), self._turned(k, turn)
        y = F.scaled_dot_product_attention(q, self._repeated(k), self._repeated(v), is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, length, width))

    def _turned(self, x: Tensor, turn: Tensor) -> Tensor:
        first, second = x.chunk(2, -1)
        return x * turn.cos().to(x.dtype) + torch.cat([-second, first], -1) * turn.sin().to(x.dtype)

    def _repeated(self, x: Tensor) -> Tensor:
        batch, _, length, each = x.shape
        return x[:, :, None].expand(-1, -1, self.heads // self.shared, -1, -1).reshape(batch, self.heads, length, each)


class Mixture(nn.Module):
    """Of experts: each row goes to two, each of which takes as many rows as are its share."""

    def __init__(self, width: int, experts: int) -> None:
        super().__init__()
        self.experts, self.gate = experts, nn.Linear(width, experts, bias=False)
        self.up, self.down = (nn.Parameter(torch.randn(experts, a, b)) for a, b in ((width, 4 * width), (4 * width, width)))

    def forward(self, x: Tensor) -> Tensor:
        rows, width = x.shape
        share = 2 * rows // self.experts
        weights, chosen = self.gate(x).softmax(-1).topk(2, -1)
        to = F.one_hot(chosen.flatten(), self.experts)
        place = ((to.cumsum(0) * to).sum(-1) - 1).clamp(max=share - 1) + chosen.flatten() * share
        empty = torch.zeros(self.experts * share, width, device=x.device, dtype=x.dtype)
        gathered = empty.index_add(0, place, x.repeat_interleave(2, 0)).view(self.experts, share, width)
        y = torch.bmm(F.gelu(torch.bmm(gathered, self.up)), self.down).flatten(0, 1)
        return (y[place].view(rows, 2, width) * weights.unsqueeze(-1)).sum(1)


class Windows(nn.Module):
    """Attention within windows of an image, of which those of a second one are shifted, as in Swin."""

    def __init__(self, width: int, heads: int, size: int, shift: int) -> None:
        super().__init__()
        self.norm, self.size, self.shift = nn.LayerNorm(width), size, shift
        self.plain, self.shifted = Attention(width, heads, written_out=True), Attention(width, heads, written_out=True)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self._within(self.plain, self.norm(x))
        moved = self._within(self.shifted, torch.roll(self.norm(x), (-self.shift, -self.shift), (1, 2)))
        return x + torch.roll(moved, (self.shift, self.shift), (1, 2))

    def _within(self, attention: nn.Module, x: Tensor) -> Tensor:
        batch, height, wide, width = x.shape
        high, across = height // self.size, wide // self.size
        parts = x.view(batch, high, self.size, across, self.size, width).permute(0, 1, 3, 2, 4, 5)
        parts = parts.reshape(-1, self.size**2, width)
        back = attention(parts).view(batch, high, across, self.size, self.size, width).permute(0, 1, 3, 2, 4, 5)
        return back.reshape(batch, height, wide, width)
