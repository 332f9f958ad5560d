"""Training steps of all kinds: few layers, and tensors so large that inductor decides as it does for a large model.

MODELS: by name, what makes a module that returns its loss, and its inputs; those of names.SET_ASIDE among them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from layers import GatedLoop
from parts import Attention, Gated, Loss, Mixture, Residual, RmsNorm, Rotary, Windows, feed_forward, layers_of, tokens

Step = tuple[nn.Module, tuple[Tensor, ...]]
VOCABULARY = 8192


def mlp() -> Step:
    return _squared(nn.Sequential(*(Residual(1024, feed_forward(1024, dropout=0.1)) for _ in range(3)))), _rows(8192, 1024)


def mlp_float() -> Step:
    model = nn.Sequential(nn.Linear(784, 2048), nn.ReLU(), nn.Linear(2048, 2048), nn.ReLU(), nn.Linear(2048, 1000))
    return Loss(model, F.cross_entropy), (torch.randn(4096, 784), tokens(4096, below=1000))


def wide_norms() -> Step:
    return _squared(nn.Sequential(*(Residual(8192, nn.Linear(8192, 8192, bias=False)) for _ in range(2)))), _rows(2048, 8192)


def swiglu() -> Step:
    return _squared(nn.Sequential(*(Residual(1024, Gated(1024, 2816), RmsNorm) for _ in range(3)))), _rows(8192, 1024)


def llama() -> Step:
    attention = lambda: Residual(1024, Rotary(1024, heads=16, shared=4), RmsNorm)
    return _language_model(1024, lambda: [attention(), Residual(1024, Gated(1024, 2816), RmsNorm)])


def gpt() -> Step:
    attention = lambda: Residual(768, Attention(768, 12, causal=True, dropout=0.1))
    return _language_model(768, lambda: [attention(), Residual(768, feed_forward(768, dropout=0.1))])


def bert() -> Step:
    """Its norms come after the sums."""
    attention = lambda: Residual(768, Attention(768, 12), after=True)
    return _language_model(768, lambda: [attention(), Residual(768, feed_forward(768, dropout=0.1), after=True)])


def t5() -> Step:
    attention = lambda: Residual(512, Attention(512, 8, written_out=True, biased=True), RmsNorm)
    return _language_model(512, lambda: [attention(), Residual(512, feed_forward(512, nn.ReLU), RmsNorm)])


def eager_attention() -> Step:
    attention = lambda: Residual(768, Attention(768, 12, written_out=True, causal=True, dropout=0.1))
    return _language_model(768, lambda: [attention(), Residual(768, feed_forward(768))])


def softmax_attention() -> Step:
    layers = layers_of(3, lambda: [Residual(512, Attention(512, 8, written_out=True))])
    return _squared(nn.Sequential(*layers)), _sequences(8, 512, 512)


def mixture() -> Step:
    return _language_model(512, lambda: [Residual(512, Mixture(512, experts=8))], rows=4096)


def vit() -> Step:
    patches = nn.Sequential(nn.Conv2d(3, 768, 16, 16), nn.Flatten(2))
    layers = layers_of(2, lambda: [Residual(768, Attention(768, 12)), Residual(768, feed_forward(768))])
    model = nn.Sequential(patches, _Swapped(), *layers, nn.LayerNorm(768), _Mean(1), nn.Linear(768, 1000))
    return _classifier(model), _images(32, 224)


class _Swapped(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2)


class _Mean(nn.Module):
    def __init__(self, *dims: int) -> None:
        super().__init__()
        self.dims = dims

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(self.dims)


class _Block(nn.Module):
    def __init__(self, width: int, norm: Callable[[int], nn.Module]) -> None:
        super().__init__()
        conv = lambda: nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.inner = nn.Sequential(conv(), norm(width), nn.ReLU(), conv(), norm(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.inner(x))


def _residual_network(norm: Callable[[int], nn.Module] = nn.BatchNorm2d) -> nn.Module:
    stem = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), norm(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    down = [nn.Conv2d(64, 128, 3, 2, 1, bias=False), norm(128), nn.ReLU()]
    return nn.Sequential(*stem, _Block(64, norm), _Block(64, norm), *down, _Block(128, norm), _Mean(2, 3), nn.Linear(128, 1000))


def resnet() -> Step:
    return _classifier(_residual_network()), _images(32, 128)


def resnet_channels_last() -> Step:
    model = _residual_network().to(memory_format=torch.channels_last)
    x, y = _images(32, 128)
    return _classifier(model), (x.contiguous(memory_format=torch.channels_last), y)


def resnet_float() -> Step:
    return Loss(_residual_network(), F.cross_entropy), _images(16, 128)


def group_norms() -> Step:
    return _classifier(_residual_network(lambda width: nn.GroupNorm(8, width))), _images(32, 128)


class _Denoising(nn.Module):
    def __init__(self, into: int, out: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(8, into), nn.GroupNorm(8, out)])
        self.convs = nn.ModuleList([nn.Conv2d(into, out, 3, padding=1), nn.Conv2d(out, out, 3, padding=1)])
        self.skip = nn.Conv2d(into, out, 1) if into != out else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        y = self.convs[0](F.silu(self.norms[0](x)))
        return self.skip(x) + self.convs[1](F.dropout(F.silu(self.norms[1](y)), 0.1))


class _UNet(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.last = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)
        self.down = nn.ModuleList([_Denoising(width, width), _Denoising(width, 2 * width)])
        self.middle = _Denoising(2 * width, 2 * width)
        self.up = nn.ModuleList([_Denoising(4 * width, width), _Denoising(2 * width, width)])

    def forward(self, x: Tensor) -> Tensor:
        high = self.down[0](self.first(x))
        low = self.down[1](F.avg_pool2d(high, 2))
        y = self.up[0](torch.cat([self.middle(low), low], 1))
        return self.last(self.up[1](torch.cat([F.interpolate(y, scale_factor=2), high], 1)))


def unet() -> Step:
    x = torch.randn(16, 3, 64, 64)
    return _Autocast(Loss(_UNet(64), F.mse_loss)), (x, x)


class _NextBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.mixing, self.norm = nn.Conv2d(width, width, 7, padding=3, groups=width), nn.LayerNorm(width)
        self.inner, self.scale = feed_forward(width), nn.Parameter(torch.full((width,), 1e-6))

    def forward(self, x: Tensor) -> Tensor:
        y = self.inner(self.norm(self.mixing(x).permute(0, 2, 3, 1))) * self.scale
        return x + y.permute(0, 3, 1, 2)


def convnext() -> Step:
    layers = layers_of(2, lambda: [_NextBlock(96)])
    return _classifier(nn.Sequential(nn.Conv2d(3, 96, 4, 4), *layers, _Mean(2, 3), nn.Linear(96, 1000))), _images(32, 224)


def swin() -> Step:
    layers = layers_of(2, lambda: [Windows(96, heads=3, size=8, shift=4), Residual(96, feed_forward(96))])
    model = nn.Sequential(nn.Conv2d(3, 96, 4, 4), _ChannelsInside(), *layers, nn.LayerNorm(96), _Mean(1, 2), nn.Linear(96, 1000))
    return _classifier(model), _images(32, 256)


class _ChannelsInside(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.permute(0, 2, 3, 1)


class _MixedRows(nn.Module):
    """Along the patches, then along the channels, as in an MLP mixer."""

    def __init__(self, patches: int, width: int) -> None:
        super().__init__()
        self.norm, self.along, self.across = nn.LayerNorm(width), feed_forward(patches), Residual(width, feed_forward(width))

    def forward(self, x: Tensor) -> Tensor:
        return self.across(x + self.along(self.norm(x).transpose(1, 2)).transpose(1, 2))


def mixer() -> Step:
    return _squared(nn.Sequential(*(_MixedRows(256, 512) for _ in range(2)))), _sequences(32, 256, 512)


def lstm() -> Step:
    return _squared(GatedLoop(1024, 6)), _sequences(1024, 6, 1024)


class _Recommender(nn.Module):
    """Embeddings of categories, whose products of pairs go on with numbers."""

    def __init__(self, tables: int, width: int) -> None:
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(10000, width) for _ in range(tables)])
        self.below = nn.Sequential(nn.Linear(16, 256), nn.ReLU(), nn.Linear(256, width), nn.ReLU())
        self.above = nn.Sequential(nn.Linear(width + (tables + 1) ** 2, 512), nn.ReLU(), nn.Linear(512, 1))

    def forward(self, numbers: Tensor, categories: Tensor) -> Tensor:
        below = self.below(numbers)
        vectors = torch.stack([below, *(table(categories[:, i]) for i, table in enumerate(self.tables))], 1)
        return self.above(torch.cat([below, torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)], 1))


class _Clicks(nn.Module):
    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, numbers: Tensor, categories: Tensor, clicked: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(self.model(numbers, categories).squeeze(1), clicked)


def recommender() -> Step:
    return _Clicks(_Recommender(8, 64)), (torch.randn(16384, 16), tokens(16384, 8, below=10000), torch.rand(16384))


class _Conditioned(nn.Module):
    """A layer of a diffusion transformer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.by, self.attention, self.inner = nn.Linear(width, 6 * width), Attention(width, 8), feed_forward(width)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        scale, shift, gate, scale2, shift2, gate2 = self.by(F.silu(condition)).unsqueeze(1).chunk(6, -1)
        x = x + gate * self.attention(self.norm(x) * (1 + scale) + shift)
        return x + gate2 * self.inner(self.norm(x) * (1 + scale2) + shift2)


class _Diffusion(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([_Conditioned(width) for _ in range(2)])

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        y = x
        for layer in self.layers:
            y = layer(y, condition)
        return F.mse_loss(y, x)


def diffusion() -> Step:
    return _Diffusion(512).bfloat16(), (torch.randn(16, 256, 512).bfloat16(), torch.randn(16, 512).bfloat16())


def squeezing() -> Step:
    """Inverted bottlenecks whose channels are scaled by their means."""
    layers = layers_of(2, lambda: [_Squeezing(32, 4)])
    return _classifier(nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), *layers, _Mean(2, 3), nn.Linear(32, 1000))), _images(32, 128)


class _Squeezing(nn.Module):
    def __init__(self, width: int, factor: int) -> None:
        super().__init__()
        wide = factor * width
        self.up = nn.Sequential(nn.Conv2d(width, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.SiLU())
        each = nn.Conv2d(wide, wide, 3, padding=1, groups=wide, bias=False)
        self.mixing = nn.Sequential(each, nn.BatchNorm2d(wide), nn.SiLU())
        below, above = nn.Conv2d(wide, width // 4, 1), nn.Conv2d(width // 4, wide, 1)
        self.scale = nn.Sequential(nn.AdaptiveAvgPool2d(1), below, nn.SiLU(), above, nn.Sigmoid())
        self.down = nn.Sequential(nn.Conv2d(wide, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        y = self.mixing(self.up(x))
        return x + self.down(y * self.scale(y))


class _Retention(nn.Module):
    """Attention without a softmax, which decays."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads, self.into, self.out = heads, nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.into(x).chunk(3, -1))
        apart = (torch.arange(length, device=x.device)[:, None] - torch.arange(length, device=x.device)).to(x.dtype)
        decay = torch.where(apart >= 0, 0.97**apart, 0.0).to(x.dtype)
        y = (q @ k.transpose(-1, -2) / math.sqrt(width) * decay) @ v
        return self.out(F.layer_norm(y, y.shape[-1:]).transpose(1, 2).reshape(batch, length, width))


def retention() -> Step:
    return _squared(nn.Sequential(*(Residual(512, _Retention(512, 8)) for _ in range(2)))), _sequences(8, 512, 512)


class _Autocast(nn.Module):
    def __init__(self, step: nn.Module) -> None:
        super().__init__()
        self.step = step

    def forward(self, *inputs: Tensor) -> Tensor:
        with torch.autocast("cuda", torch.bfloat16):
            return self.step(*inputs)


def _classifier(model: nn.Module) -> nn.Module:
    return _Autocast(Loss(model, F.cross_entropy))


def _squared(model: nn.Module) -> nn.Module:
    return Loss(model.bfloat16(), lambda y: y.float().square().mean())


def _rows(count: int, width: int) -> tuple[Tensor, ...]:
    return (torch.randn(count, width).bfloat16(),)


def _sequences(batch: int, length: int, width: int) -> tuple[Tensor, ...]:
    return (torch.randn(batch, length, width).bfloat16(),)


def _images(count: int, size: int) -> tuple[Tensor, ...]:
    return torch.randn(count, 3, size, size), tokens(count, below=1000)


def _language_model(width: int, layers: Callable[[], list[nn.Module]], rows: int = 0) -> Step:
    last = [nn.LayerNorm(width), nn.Linear(width, VOCABULARY, bias=False)]
    model = nn.Sequential(nn.Embedding(VOCABULARY, width), *layers_of(2, layers), *last)
    loss = lambda logits, ids: F.cross_entropy(logits.flatten(0, -2).float(), ids.flatten())
    ids = tokens(rows, below=VOCABULARY) if rows else tokens(4, 512, below=VOCABULARY)
    return _Autocast(Loss(model, loss)), (ids, ids)


MODELS: dict[str, Callable[[], Step]] = {
    make.__name__: make
    for make in (
        *(mlp, mlp_float, wide_norms, swiglu, llama, gpt, bert, t5, eager_attention, softmax_attention, mixture, vit),
        *(resnet, resnet_channels_last, resnet_float, group_norms, unet, convnext, mixer, lstm),
        *(diffusion, recommender, retention, squeezing, swin),
    )
}
