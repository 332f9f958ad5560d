"""The functions whose joint graphs are recorded: each shows one thing, and is small.

Those of every release from 2.4 on are written with what 2.4 has; `since` says from which on a function can be compiled.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from fxcut.torch_releases import RELEASE
from operators import add_to, has_effects, reported, scaled_tanh
from torch import Tensor, nn
from torch.distributed import _functional_collectives as collectives
from torch.utils import checkpoint as checkpoints
from torch.utils.checkpoint import checkpoint

aten = torch.ops.aten
WIDTH = 16


class Function(NamedTuple):
    """make: what is compiled and what it is called with. backend: whose joint graph: "aot_eager", or "inductor" with its
    decompositions and passes. edits: of the graph after it was traced (edits.py), each recorded as a graph of its own.
    since: the first release that has what it shows. ranks: of a fake process group. functorch, dynamo: settings of
    PyTorch while it is compiled."""

    make: Callable[[], tuple[Callable[..., Any], tuple[Any, ...]]]
    backend: str = "aot_eager"
    dynamic: bool | None = False
    edits: tuple[str, ...] = ()
    since: tuple[int, int] = (2, 4)
    ranks: int = 0
    functorch: dict[str, Any] = {}
    dynamo: dict[str, Any] = {}


FUNCTIONS: dict[str, Function] = {}


def recorded(**options: Any) -> Callable[..., Any]:
    """Adds what the decorated function makes. also_inductor: a second one, NAME_inductor, as inductor has it."""

    def add(make: Callable[[], Any]) -> Callable[[], Any]:
        also_inductor = options.pop("also_inductor", False)
        FUNCTIONS[make.__name__] = Function(make, **options)
        if also_inductor:
            FUNCTIONS[make.__name__ + "_inductor"] = Function(make, backend="inductor", **options)
        return make

    return add


def gradient_rows(rows: int = 8, width: int = WIDTH) -> Tensor:
    return torch.randn(rows, width, requires_grad=True)


def weights(width: int = WIDTH) -> Tensor:
    return torch.randn(width, width, requires_grad=True)


def region(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    return checkpoint(function, *arguments, use_reentrant=False, **options)


def policy_contexts(policy: Callable[..., Any]) -> Any:
    if RELEASE < (2, 5):
        return checkpoints._pt2_selective_checkpoint_context_fn_gen(policy)
    return checkpoints.create_selective_checkpoint_contexts(policy)


def policy_of(name: str) -> Any:
    """A CheckpointPolicy; in 2.4 whether to save."""
    return name == "MUST_SAVE" if RELEASE < (2, 5) else checkpoints.CheckpointPolicy[name]


def saves_products(context: Any, operator: Any, *arguments: Any, **options: Any) -> Any:
    return policy_of("MUST_SAVE" if operator in (aten.mm.default, aten.addmm.default) else "PREFER_RECOMPUTE")


def recomputes_pointwise(context: Any, operator: Any, *arguments: Any, **options: Any) -> Any:
    return policy_of("MUST_RECOMPUTE" if torch.Tag.pointwise in operator.tags else "PREFER_SAVE")


SELECTIVE = {
    "products": functools.partial(policy_contexts, saves_products),
    "pointwise": functools.partial(policy_contexts, recomputes_pointwise),
}


# Layers


@recorded(edits=("tagged", "offloaded", "hooked"))
def two_layers() -> Any:
    model = nn.Sequential(nn.Linear(WIDTH, 32), nn.Sigmoid(), nn.Linear(32, WIDTH), nn.Tanh())
    return model, (torch.randn(8, WIDTH),)


@recorded(backend="inductor", edits=("tagged", "budgeted"))
def feed_forward() -> Any:
    gate, up, down = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
    model = nn.ModuleList([gate, up, down])

    def run(model: nn.ModuleList, x: Tensor) -> Tensor:
        return model[2](F.silu(model[0](x)) * model[1](x))

    return run, (model, torch.randn(2, 8, WIDTH))


@recorded(also_inductor=True, edits=("tagged",))
def layer_norm_gelu() -> Any:
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH), nn.GELU(), nn.Linear(WIDTH, 4))
    return model, (torch.randn(8, WIDTH),)


@recorded(backend="inductor")
def root_mean_square_norm() -> Any:
    def run(x: Tensor, weight: Tensor, scale: Tensor) -> Tensor:
        y = x @ weight
        return y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6) * scale

    return run, (gradient_rows(), weights(), torch.randn(WIDTH, requires_grad=True))


@recorded(also_inductor=True, edits=("tagged", "offloaded"))
def batch_norm() -> Any:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 2, 1))
    return model, (torch.randn(2, 3, 8, 8),)


@recorded(also_inductor=True)
def convolution_and_pooling() -> Any:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(4, 4))
    return model, (torch.randn(2, 3, 8, 8),)


@recorded(also_inductor=True)
def embedding_and_cross_entropy() -> Any:
    embedding, head = nn.Embedding(32, WIDTH), nn.Linear(WIDTH, 32)

    def run(embedding: nn.Module, head: nn.Module, tokens: Tensor, labels: Tensor) -> Tensor:
        return F.cross_entropy(head(embedding(tokens)).flatten(0, 1), labels.flatten())

    return run, (embedding, head, torch.randint(32, (2, 4)), torch.randint(32, (2, 4)))


@recorded(edits=("tagged",))
def tied_weights() -> Any:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.outer = nn.Embedding(32, WIDTH), nn.Linear(WIDTH, 32, bias=False)
            self.outer.weight = self.inner.weight
            self.register_buffer("scale", torch.randn(WIDTH))

        def forward(self, tokens: Tensor) -> Tensor:
            return self.outer(torch.tanh(self.inner(tokens)) * self.scale)

    return Tied(), (torch.randint(32, (2, 4)),)


@recorded()
def recurrent_cell() -> Any:
    cell = nn.GRUCell(WIDTH, WIDTH)

    def run(cell: nn.Module, x: Tensor, state: Tensor) -> Tensor:
        for _ in range(3):
            state = cell(x, state)
        return state

    return run, (cell, torch.randn(4, WIDTH), torch.randn(4, WIDTH))


@recorded(also_inductor=True, edits=("tagged",))
def group_norm_and_upsampling() -> Any:
    model = nn.Sequential(nn.Conv2d(4, 8, 1), nn.GroupNorm(2, 8), nn.SiLU(), nn.Upsample(scale_factor=2, mode="bilinear"), nn.Conv2d(8, 2, 3))
    return model, (torch.randn(1, 4, 4, 4),)


# Pointwise operators


@recorded(edits=("tagged",))
def activations() -> Any:
    def run(x: Tensor) -> Tensor:
        x = F.celu(F.elu(x)) + F.selu(F.mish(x)) * F.hardsigmoid(x)
        return F.hardtanh(F.softshrink(x)) + F.relu6(F.hardshrink(x)) + F.softplus(x) + F.hardswish(x)

    return run, (gradient_rows(),)


@recorded()
def activations_in_place() -> Any:
    def run(x: Tensor, weight: Tensor) -> Tensor:
        y = x @ weight
        y = F.hardtanh_(F.elu_(y + 1) * 2)
        return (F.leaky_relu_(y * 2) * 2).sin_().mul_(x).sigmoid_()

    return run, (gradient_rows(), weights())


@recorded(also_inductor=True, edits=("tagged",))
def long_pointwise_chain() -> Any:
    def run(x: Tensor) -> Tensor:
        for _ in range(6):
            x = torch.sin(torch.cos(x)) * x
        return x

    return run, (gradient_rows(),)


@recorded()
def where_and_masks() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        z = torch.where(x > 0, x * y, torch.exp(y))
        return z.masked_fill(z > 2, 0.0).clamp(min=-1.0) + torch.maximum(x, y).relu()

    return run, (gradient_rows(), gradient_rows())


@recorded(edits=("tagged",))
def used_far_apart() -> Any:
    def run(x: Tensor, weight: Tensor) -> Tensor:
        first = torch.exp(x)
        y = first
        for _ in range(4):
            y = torch.relu(y @ weight)
        return y * first.sum(0) + torch.exp(x)

    return run, (gradient_rows(), weights())


@recorded(edits=("tagged",))
def equal_subexpressions() -> Any:
    def run(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        same = torch.sin(x) + torch.sin(x) * torch.cos(y) + torch.cos(y)
        zeros = torch.atan2(x, torch.full_like(x, 0.0)) + torch.atan2(x, torch.full_like(x, -0.0))
        buffer = torch.zeros(8, WIDTH)
        first = (buffer + x) * 2
        buffer.add_(1.0)
        second = (buffer + x) * 2
        return same, zeros, first * second, torch.empty(2), torch.zeros(3), torch.zeros(3)

    return run, (gradient_rows(), gradient_rows())


@recorded()
def mixed_precision() -> Any:
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))

    def run(model: nn.Module, x: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return model(x).float().square().mean()

    return run, (model, torch.randn(8, WIDTH))


@recorded()
def complex_numbers() -> Any:
    def run(x: Tensor, angles: Tensor) -> Tensor:
        turned = torch.view_as_complex(x.view(4, 8, 2)) * torch.polar(torch.ones_like(angles), angles)
        return torch.view_as_real(turned * turned.conj()).flatten(1) + turned.abs().sum()

    return run, (torch.randn(4, 16, requires_grad=True), torch.randn(8))


@recorded(since=(2, 5))
def complex_constants() -> Any:
    def run(x: Tensor) -> Tensor:
        turned = torch.view_as_complex(x.view(4, 8, 2)) * (2 + 1j)
        return torch.view_as_real(turned.exp() * (1j)).flatten(1) * 3

    return run, (torch.randn(4, 16, requires_grad=True),)


@recorded(edits=("tagged",))
def concatenations() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        z = torch.cat([torch.sin(x), y, torch.cos(y)], dim=0)
        z = torch.stack([z, F.pad(z[1:], (0, 0, 0, 1))]).roll(1, 0)
        return torch.einsum("abc,dc->abd", z, x.exp()).repeat(1, 2, 1).flatten(1)

    return run, (gradient_rows(), gradient_rows())


# Reductions, orders, indices: several results, integers among them


@recorded()
def reductions() -> Any:
    def run(x: Tensor) -> Tensor:
        largest, where = x.max(dim=1)
        variance, mean = torch.var_mean(x, dim=0)
        return largest.sum() + variance.std() + mean.norm() + x.prod(0).amax() + x.logsumexp(1).sum() + where.sum()

    return run, (gradient_rows(),)


@recorded(also_inductor=True, edits=("tagged",))
def sorts_and_sums() -> Any:
    def run(x: Tensor) -> tuple[Tensor, ...]:
        rows, order = torch.sort(torch.sigmoid(x), dim=1)
        best, places = torch.topk(rows, 3)
        return torch.cumsum(rows, 0) * best.sum(), order, places

    return run, (gradient_rows(),)


@recorded()
def integer_results() -> Any:
    def run(x: Tensor, bounds: Tensor) -> tuple[Any, ...]:
        y = torch.tanh(x)
        return y.argmax(1), torch.bucketize(x, bounds), (y > 0).sum(), y.shape[0], y * 2

    return run, (gradient_rows(), torch.linspace(-1, 1, 4))


@recorded(also_inductor=True)
def scatters_and_indices() -> Any:
    def run(x: Tensor, places: Tensor, values: Tensor) -> Tensor:
        chosen = x[places] * torch.gather(x, 0, places[:, None].expand(-1, WIDTH)).exp()
        written = x.clone().index_put((places,), values, accumulate=True)
        spread = torch.zeros(8, WIDTH).scatter_add(0, places[:, None].expand(-1, WIDTH), chosen)
        return spread * written.index_select(0, places).sum() + torch.index_copy(x, 0, places, values)

    return run, (gradient_rows(), torch.tensor([0, 3, 5]), torch.randn(3, WIDTH, requires_grad=True))


@recorded(also_inductor=True, edits=("tagged",))
def pieces() -> Any:
    def run(x: Tensor) -> tuple[Tensor, ...]:
        first, second = torch.split(torch.exp(x), 8, dim=1)
        rows = torch.unbind(first * second, 0)
        left, middle, right = torch.tensor_split(x, 3, dim=1)
        return rows[0] + rows[3], x.select(1, 2).sin() * x[2:6:2].sum(), left.cos().sum() * middle.mean(), right.exp()

    return run, (gradient_rows(),)


# Views, aliases, mutation


@recorded(edits=("tagged", "offloaded"))
def views() -> Any:
    def run(x: Tensor, weight: Tensor) -> Tensor:
        y = torch.sigmoid(x @ weight.t()).view(2, 4, WIDTH).transpose(0, 1)
        y = y.reshape(8, WIDTH).unsqueeze(0).expand(3, -1, -1).permute(2, 0, 1)
        z = torch.as_strided(x, (4, 8), (2, 1)).exp() * y.squeeze().select(1, 0)[:4, :8]
        return y.diagonal().sum() * z.flip(0) + y.unfold(2, 2, 4).mean()

    return run, (gradient_rows(), weights())


@recorded()
def aliases_of_inputs() -> Any:
    def run(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        return x.view(-1), y.detach(), x.t(), x, (x * y)[0], y[1]

    return run, (gradient_rows(), gradient_rows())


@recorded()
def same_input_twice() -> Any:
    def run(x: Tensor, y: Tensor, buffer: Tensor, again: Tensor) -> Tensor:
        return torch.sin(x) * y + buffer.exp() * again

    x, buffer = gradient_rows(), torch.randn(8, WIDTH)
    return run, (x, x, buffer, buffer)


@recorded()
def results_that_share_storage() -> Any:
    def run(x: Tensor) -> tuple[Tensor, ...]:
        y = torch.exp(x)
        return y, y.t(), y[0], y.view(-1)[:4], torch.exp(x)

    return run, (gradient_rows(),)


@recorded(also_inductor=True, edits=("tagged",))
def mutated_inputs() -> Any:
    def run(x: Tensor, buffer: Tensor, count: Tensor) -> Tensor:
        count.add_(1)
        before = torch.sin(buffer)
        buffer.mul_(0.9).add_(x.detach(), alpha=0.1)
        return x * buffer * before + buffer.sum() / count

    return run, (gradient_rows(), torch.randn(8, WIDTH), torch.tensor(3.0))


@recorded(edits=("marked", "tagged"))
def several_mutated_buffers() -> Any:
    def run(x: Tensor, weight: Tensor, first: Tensor, second: Tensor) -> Tensor:
        y = torch.tanh(x @ weight)
        first.mul_(0.5).add_(y.detach())
        second.copy_(first.sin())
        z = y * first.exp() + second
        second.add_(1.0)
        return z.cos() * second

    return run, (gradient_rows(), weights(), torch.randn(8, WIDTH), torch.randn(8, WIDTH))


@recorded(edits=("tagged",))
def written_slices() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        z = torch.sin(x) * 2
        z[:, 0] = y[:, 0].exp()
        z[1:3].mul_(2)
        z.view(-1)[:4].fill_(1.0)
        return z * z.cos()

    return run, (gradient_rows(), gradient_rows())


@recorded()
def unused_gradients() -> Any:
    def run(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        return torch.sin(x).detach() * 2, torch.cos(x) + y.detach(), torch.relu(y).sum() * 0, y

    return run, (gradient_rows(), gradient_rows())


@recorded()
def constants() -> Any:
    def run(x: Tensor) -> Tensor:
        return torch.sin(x) * torch.tensor([1.0, 2.0, 3.0, 4.0]).repeat(4) + torch.tensor(2.0) + torch.arange(WIDTH)

    return run, (gradient_rows(),)


class ConstantGradient(torch.autograd.Function):
    """Its gradient does not depend on the gradients that come in."""

    @staticmethod
    def forward(context: Any, x: Tensor) -> Tensor:
        context.save_for_backward(x)
        return torch.sin(x)

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> Tensor:
        (x,) = context.saved_tensors
        return torch.cos(x).sum(0, keepdim=True).expand(8, WIDTH) * 2


@recorded(edits=("tagged",))
def gradients_without_tangents() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        return ConstantGradient.apply(torch.exp(x)) + y * y

    return run, (gradient_rows(), gradient_rows())


class WritesInBackward(torch.autograd.Function):
    """Its backward writes to a buffer that the forward was given."""

    @staticmethod
    def forward(context: Any, x: Tensor, buffer: Tensor) -> Tensor:
        context.buffer = buffer
        context.save_for_backward(x)
        return torch.sin(x) * buffer.sum()

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> Any:
        (x,) = context.saved_tensors
        found = gradient * torch.cos(x)
        context.buffer.copy_(found.detach())
        return found, None


@recorded(edits=("tagged",))
def mutation_in_backward() -> Any:
    def run(x: Tensor, buffer: Tensor) -> Tensor:
        return WritesInBackward.apply(torch.exp(x), buffer) * 2

    return run, (gradient_rows(), torch.randn(8, WIDTH))


# Random numbers


@recorded(also_inductor=True, edits=("tagged", "offloaded"))
def dropout() -> Any:
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.Dropout(0.2), nn.ReLU(), nn.Linear(WIDTH, 4), nn.Dropout(0.1))
    return model, (torch.randn(8, WIDTH),)


@recorded(also_inductor=True, edits=("tagged", "on_cuda"))
def dropout_in_region() -> Any:
    layers = nn.ModuleList([nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 4)])

    def block(layers: nn.ModuleList, x: Tensor) -> Tensor:
        return F.dropout(layers[1](F.dropout(torch.sigmoid(layers[0](x)), 0.1)), 0.2)

    def run(layers: nn.ModuleList, x: Tensor) -> Tensor:
        return region(block, layers, x).sum()

    return run, (layers, torch.randn(8, WIDTH, requires_grad=True))


@recorded(edits=("tagged", "on_cuda"))
def random_numbers_in_region() -> Any:
    def block(x: Tensor) -> Tensor:
        noise = torch.rand_like(x) * torch.bernoulli(torch.sigmoid(x).detach())
        return torch.sin(x) * noise + torch.randn(8, WIDTH)

    def run(x: Tensor) -> Tensor:
        return region(block, torch.exp(x)) * torch.rand_like(x)

    return run, (gradient_rows(),)


@recorded(functorch={"functionalize_rng_ops": True}, edits=("tagged",))
def dropout_functionalized() -> Any:
    def drop(x: Tensor, share: float) -> Tensor:
        return torch.where(torch.rand_like(x) > share, x, 0.0) / (1 - share)

    def block(x: Tensor, weight: Tensor) -> Tensor:
        return drop(torch.relu(drop(x @ weight, 0.1)), 0.3)

    def run(x: Tensor, weight: Tensor) -> Tensor:
        return region(block, torch.sin(x), weight) + drop(x, 0.5)

    return run, (gradient_rows(), weights())


# Checkpoints


@recorded(also_inductor=True, edits=("offloaded",))
def regions() -> Any:
    blocks = nn.ModuleList([nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH)) for _ in range(2)])

    def run(blocks: nn.ModuleList, x: Tensor) -> Tensor:
        for block in blocks:
            x = region(block, x)
        return x * 2

    return run, (blocks, torch.randn(8, WIDTH, requires_grad=True))


@recorded()
def nested_regions() -> Any:
    def inner(x: Tensor, weight: Tensor) -> Tensor:
        return torch.relu(x @ weight).view(4, 2, WIDTH)

    def outer(x: Tensor, weight: Tensor) -> Tensor:
        return region(inner, torch.sin(x), weight).exp().flatten(0, 1) * x

    def run(x: Tensor, weight: Tensor) -> Tensor:
        return region(outer, x, weight).cos()

    return run, (gradient_rows(), weights())


@recorded(edits=("tagged", "marked"))
def residual_regions() -> Any:
    blocks = nn.ModuleList([nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH), nn.Dropout(0.1), nn.ReLU()) for _ in range(3)])

    def run(blocks: nn.ModuleList, x: Tensor) -> Tensor:
        for place, block in enumerate(blocks):
            x = x + (block(x) if place == 1 else region(block, x))
        return x

    return run, (blocks, torch.randn(8, WIDTH, requires_grad=True))


def selective(kind: str) -> Any:
    def block(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
        return torch.sigmoid(torch.relu(x @ first) @ second).softmax(-1)

    def run(x: Tensor, first: Tensor, second: Tensor) -> Tensor:
        y = region(block, torch.cos(x), first, second, context_fn=SELECTIVE[kind])
        return region(block, y, second, first, context_fn=SELECTIVE[kind]) + x

    return run, (gradient_rows(), weights(), weights())


@recorded(also_inductor=True, edits=("hooked",))
def region_that_saves_products() -> Any:
    return selective("products")


@recorded()
def region_that_recomputes_pointwise() -> Any:
    return selective("pointwise")


@recorded()
def region_with_several_results() -> Any:
    def block(x: Tensor) -> tuple[Tensor, ...]:
        rows, order = torch.sort(torch.exp(x), dim=1)
        normal = F.layer_norm(rows, (WIDTH,))
        first, second = normal.chunk(2, dim=1)
        return first * 2, second, order

    def run(x: Tensor) -> Tensor:
        first, second, order = region(block, torch.sin(x))
        return first.exp() * second + order.sum()

    return run, (gradient_rows(),)


@recorded()
def region_with_mutation() -> Any:
    def block(x: Tensor, buffer: Tensor) -> Tensor:
        buffer.add_(x.detach())
        return torch.sin(x) * buffer

    def run(x: Tensor, buffer: Tensor) -> Tensor:
        return region(block, torch.exp(x), buffer).cos()

    return run, (gradient_rows(), torch.randn(8, WIDTH))


# Attention


def heads(batch: int = 2, count: int = 2, length: int = 8) -> Tensor:
    return torch.randn(batch, count, length, WIDTH, requires_grad=True)


@recorded(also_inductor=True, edits=("tagged",))
def attention_by_products() -> Any:
    def run(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        scores = (q @ k.transpose(-2, -1)) / 4.0
        return scores.masked_fill(mask, float("-inf")).softmax(-1) @ v

    return run, (heads(), heads(), heads(), torch.ones(8, 8, dtype=torch.bool).triu(1))


@recorded(also_inductor=True)
def attention_with_mask() -> Any:
    def run(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias, dropout_p=0.1).sin()

    return run, (heads(), heads(), heads(), torch.randn(2, 2, 8, 8, requires_grad=True))


@recorded(also_inductor=True)
def attention_on_cpu() -> Any:
    projection = nn.Linear(WIDTH, 3 * WIDTH)

    def run(projection: nn.Module, x: Tensor) -> Tensor:
        q, k, v = (part.unflatten(-1, (2, 8)).transpose(1, 2) for part in projection(x).chunk(3, -1))
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)

    return run, (projection, torch.randn(2, 8, WIDTH))


@recorded(edits=("tagged",))
def attention_in_region() -> Any:
    def block(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(torch.sin(q), k, v).cos()

    def run(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return region(block, q.exp(), k, v)

    return run, (heads(), heads(), heads())


@recorded(since=(2, 5))
def attention_with_shared_heads() -> Any:
    def run(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return F.scaled_dot_product_attention(q, k, v, enable_gqa=True).exp()

    return run, (heads(count=4), heads(), heads())


# Sizes that are symbols


@recorded(dynamic=True, also_inductor=True, edits=("tagged",))
def symbolic_batch() -> Any:
    model = nn.Sequential(nn.Linear(WIDTH, 32), nn.GELU(), nn.Linear(32, WIDTH), nn.LayerNorm(WIDTH))
    return model, (torch.randn(6, WIDTH),)


@recorded(dynamic=True, also_inductor=True, edits=("tagged",))
def symbolic_views() -> Any:
    def run(x: Tensor, weight: Tensor) -> tuple[Any, ...]:
        batch, length = x.shape[0], x.shape[1]
        y = torch.sin(x).view(batch * length, -1) @ weight
        y = y.view(batch, length // 2, -1).sum(1, keepdim=True).expand(batch, length * 2, -1)
        return torch.cat([y, y.exp()]) * (batch + length), length * 3

    return run, (torch.randn(3, 10, WIDTH, requires_grad=True), weights())


# Older releases describe some of its numbers by halves, which a file does not show, and answer now so, now otherwise.
@recorded(dynamic=True, since=(2, 10))
def symbolic_attention() -> Any:
    def run(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).triu(1)
        return F.dropout(scores.masked_fill(hidden, -1e9).softmax(-1), 0.1) @ v

    return run, (heads(3, 2, 6), heads(3, 2, 6), heads(3, 2, 6))


@recorded(dynamic=True)
def symbolic_region() -> Any:
    def block(x: Tensor, weight: Tensor) -> Tensor:
        return torch.relu(x @ weight).view(x.shape[0] // 2, 2, -1).sum(1)

    def run(x: Tensor, weight: Tensor) -> Tensor:
        return region(block, torch.sin(x), weight).exp()

    return run, (gradient_rows(6), weights())


@recorded(dynamo={"capture_dynamic_output_shape_ops": True, "capture_scalar_outputs": True})
def sizes_from_data() -> Any:
    def run(x: Tensor, mask: Tensor) -> Tensor:
        chosen = x[mask.nonzero().squeeze(1)]
        return torch.sin(chosen).exp() * 2

    return run, (gradient_rows(), torch.tensor([True, False] * 4))


@recorded(dynamo={"capture_scalar_outputs": True}, edits=("tagged",))
def numbers_from_data() -> Any:
    def run(x: Tensor, count: Tensor) -> Tensor:
        rows = count.item()
        torch._check_is_size(rows)
        torch._check(rows <= 8)
        return torch.sin(x).exp()[:4] * rows + torch.ones(rows, WIDTH).sum() * torch.cos(x[:4])

    return run, (gradient_rows(), torch.tensor(5))


@recorded()
def assertions() -> Any:
    def run(x: Tensor) -> Tensor:
        y = torch.exp(x)
        torch._assert_async((y > 0).all(), "all are positive")
        return y * torch.sin(y)

    return run, (gradient_rows(),)


# Operators of our own


@recorded(edits=("tagged",))
def own_operator() -> Any:
    def run(x: Tensor, weight: Tensor) -> Tensor:
        return scaled_tanh(torch.exp(x) @ weight, 0.5) * torch.sin(scaled_tanh(x, 2.0))

    return run, (gradient_rows(), weights())


@recorded(also_inductor=True, edits=("tagged",))
def own_operator_that_writes() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        sums = torch.sin(y)
        add_to(sums, x.detach())
        add_to(sums, y.detach())
        return torch.exp(x) * sums

    return run, (gradient_rows(), torch.randn(8, WIDTH))


@recorded()
def own_operator_in_region() -> Any:
    def block(x: Tensor, weight: Tensor) -> Tensor:
        return scaled_tanh(torch.sigmoid(x @ weight), 0.5) * x

    def run(x: Tensor, weight: Tensor) -> Tensor:
        return region(block, torch.exp(x), weight)

    return run, (gradient_rows(), weights())


@recorded(edits=("tagged",))
def own_operator_with_effects() -> Any:
    has_effects()

    def run(x: Tensor) -> Tensor:
        reported(x.detach())
        y = torch.sin(torch.exp(x))
        reported(y.detach())
        return y * x

    return run, (gradient_rows(),)


@recorded()
def effects_in_region() -> Any:
    has_effects()

    def block(x: Tensor) -> Tensor:
        y = torch.sin(x)
        reported(y.detach())
        return y.exp()

    def run(x: Tensor) -> Tensor:
        return region(block, torch.cos(x))

    return run, (gradient_rows(),)


# Operators of higher order


@recorded(since=(2, 6))
def branches() -> Any:
    def run(x: Tensor, y: Tensor) -> Tensor:
        z = torch.cond(x.sum() > 0, lambda x, y: torch.sin(x) @ y, lambda x, y: torch.cos(x) @ y.exp(), (x.exp(), y))
        return z * x

    return run, (gradient_rows(), weights())


@recorded(since=(2, 8))
def nested_compile_region() -> Any:
    block = torch.compiler.nested_compile_region(lambda x, weight: torch.relu(x @ weight).exp())

    def run(x: Tensor, weight: Tensor) -> Tensor:
        return block(block(torch.sin(x), weight), weight) * 2

    return run, (gradient_rows(), weights())


@recorded(since=(2, 8))
def scan() -> Any:
    from torch._higher_order_ops.scan import scan as scan_operator

    def step(carry: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
        following = torch.tanh(carry + x)
        return following.clone(), following * 2

    def run(first: Tensor, rows: Tensor) -> Tensor:
        last, every = scan_operator(step, first, rows, dim=0)
        return last.sin() + every.sum(0)

    return run, (torch.randn(WIDTH, requires_grad=True), gradient_rows())


# Collectives


def world() -> Any:
    return torch.distributed.group.WORLD


@recorded(ranks=4, edits=("tagged",))
def all_reduce() -> Any:
    group = world()

    def run(x: Tensor, weight: Tensor) -> Tensor:
        y = torch.sin(x) @ weight
        return torch.relu(collectives.all_reduce(y.detach(), "sum", group) * y) * 2

    return run, (gradient_rows(), weights())


@recorded(ranks=4, edits=("tagged",))
def gathered_parameter() -> Any:
    group = world()

    def run(x: Tensor, shard: Tensor) -> Tensor:
        weight = collectives.all_gather_tensor_autograd(shard, 0, group)
        y = torch.sin(x) @ weight
        return collectives.reduce_scatter_tensor_autograd(torch.exp(y), "sum", 0, group)

    return run, (gradient_rows(), torch.randn(WIDTH // 4, WIDTH, requires_grad=True))


@recorded(ranks=4)
def gathered_in_region() -> Any:
    group = world()

    def block(x: Tensor, shard: Tensor) -> Tensor:
        weight = collectives.all_gather_tensor_autograd(shard, 0, group)
        return torch.relu(x @ weight) * x

    def run(x: Tensor, shard: Tensor) -> Tensor:
        return region(block, torch.sin(x), shard)

    return run, (gradient_rows(), torch.randn(WIDTH // 4, WIDTH, requires_grad=True))


@recorded(ranks=4, edits=("tagged",))
def gathered_together() -> Any:
    group = world()

    def run(x: Tensor, y: Tensor) -> Tensor:
        first, second = collectives.all_gather_into_tensor_coalesced([x.detach() * 2, y.detach().exp()], group)
        return (first.sum(0) * x * second.mean()).sin() * y

    return run, (gradient_rows(), gradient_rows())
