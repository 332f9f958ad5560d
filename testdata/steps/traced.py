"""The steps: functions that are traced, each with what it is called with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
import torch.nn.functional as F
from layers import (
    WIDTH,
    Attention,
    Block,
    Convolution,
    FusedAttention,
    Layers,
    Perceptron,
    ShardedLinear,
    aten,
    nested,
    plain,
    region,
    selective,
)
from torch import Tensor, nn
from torch.fx.traceback import annotate
from torch.utils.checkpoint import CheckpointPolicy as Policy


class Traced(NamedTuple):
    """function and arguments: what is called. tracer: as of fxcut.capture_step_with."""

    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    tracer: str = "aot_eager"
    dynamic: bool | None = None


def tokens() -> Tensor:
    return torch.randn(2, 8, WIDTH)


def rows() -> Tensor:
    return torch.randn(8, WIDTH)


def images() -> Tensor:
    return torch.randn(2, 3, 6, 6)


def gradients(loss: Tensor, model: nn.Module) -> tuple[Tensor, ...]:
    return torch.autograd.grad(loss, tuple(model.parameters()))


def step(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = model(x).square().mean()
    return loss.detach(), gradients(loss, model)


def perceptrons(*regions: Callable[..., Any], **options: Any) -> Layers:
    return Layers([Perceptron(**options) for _ in regions], regions)


def of_model(model: Callable[[], nn.Module], x: Callable[[], Tensor], **options: Any) -> Traced:
    return Traced(step, lambda: (model(), x()), **options)


def autocast_step(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    with torch.autocast("cpu", torch.bfloat16):
        loss = model(x).float().square().mean()
    return loss.detach(), gradients(loss, model)


def annotated_step(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = model(x).square().mean()
    with annotate({"phase": "backward"}):
        grads = gradients(loss, model)
    return loss.detach(), grads


def optimizer_annotated_too(model: nn.Module, x: Tensor) -> Tensor:
    loss = model(x).square().mean()
    with annotate({"phase": "backward"}):
        grads = gradients(loss, model)
        with torch.no_grad():
            for parameter, gradient in zip(model.parameters(), grads):
                parameter.sub_(gradient * 0.1)
    return loss.detach()


def two_annotated_regions(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = model(x).square().mean()
    with annotate({"phase": "backward"}):
        first = gradients(loss, model)
    between = torch.sin(first[0])
    with annotate({"phase": "backward"}):
        last = torch.cos(between)
    return loss.detach(), first, last


def sgd_step(model: nn.Module, x: Tensor) -> Tensor:
    loss = model(x).square().mean()
    grads = gradients(loss, model)
    with torch.no_grad():
        for parameter, gradient in zip(model.parameters(), grads):
            parameter.sub_(gradient * 0.1)
    return loss.detach()


def sgd_with_momentum(model: nn.Module, momenta: list[Tensor], x: Tensor) -> Tensor:
    loss = model(x).square().mean()
    grads = gradients(loss, model)
    with torch.no_grad():
        for parameter, momentum, gradient in zip(model.parameters(), momenta, grads):
            momentum.mul_(0.9).add_(gradient)
            parameter.sub_(momentum * 0.1)
    return loss.detach()


def adamw_step(model: nn.Module, averages: list[Tensor], squares: list[Tensor], count: Tensor, x: Tensor) -> Tensor:
    loss = model(x).square().mean()
    grads = gradients(loss, model)
    with torch.no_grad():
        count.add_(1)
        for parameter, average, square, gradient in zip(model.parameters(), averages, squares, grads):
            parameter.mul_(1 - 1e-5)
            average.lerp_(gradient, 0.1)
            square.mul_(0.999).addcmul_(gradient, gradient, value=0.001)
            denominator = (square / (1 - 0.999**count)).sqrt() + 1e-8
            parameter.sub_(average / (1 - 0.9**count) * 1e-3 / denominator)
    return loss.detach()


def zeros_like_parameters(model: nn.Module) -> list[Tensor]:
    return [torch.zeros_like(parameter) for parameter in model.parameters()]


def with_momenta() -> tuple[Any, ...]:
    model = perceptrons(region, region)
    return model, zeros_like_parameters(model), rows()


def with_states_of_adamw() -> tuple[Any, ...]:
    model = perceptrons(region)
    return model, zeros_like_parameters(model), zeros_like_parameters(model), torch.zeros(()), rows()


def two_losses_of_one_model(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    first, second = model.layers
    h = region(first, x)
    head = h.square().mean()
    grads = torch.autograd.grad(head, tuple(first.parameters()), retain_graph=True)
    loss = region(second, h).mean()
    return head.detach(), loss.detach(), grads, gradients(loss, model)


def two_losses_of_one_trunk(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    """The backward of each loss goes through the same region; between them is the forward of the second."""
    trunk, head, other = model.layers
    h = region(trunk, x)
    first = region(head, h).square().mean()
    of_first = torch.autograd.grad(first, (*trunk.parameters(), *head.parameters()), retain_graph=True)
    second = region(other, h).sin().mean()
    of_second = torch.autograd.grad(second, (*trunk.parameters(), *other.parameters()))
    return first.detach(), second.detach(), of_first, of_second


def two_losses_one_with_a_region(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    first, second = model.layers
    side = first(x).mean()
    grads = gradients(side, first)
    loss = region(second, x).square().mean()
    return side.detach(), loss.detach(), grads, gradients(loss, second)


def two_losses_in_one_backward(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    first, second = model.layers
    h = region(first, x)
    losses = (h.square().mean(), region(second, h).mean())
    return tuple(loss.detach() for loss in losses), torch.autograd.grad(losses, tuple(model.parameters()))


def chunked_loss(model: nn.Module, head: nn.Linear, x: Tensor, target: Tensor) -> tuple[Any, ...]:
    """Cross entropy by chunks, each with a backward of its own, so that only one chunk's logits live."""
    return _chunked_loss(model, head, x, target, plain)


def checkpointed_chunked_loss(model: nn.Module, head: nn.Linear, x: Tensor, target: Tensor) -> tuple[Any, ...]:
    return _chunked_loss(model, head, x, target, region)


def _chunked_loss(
    model: nn.Module, head: nn.Linear, x: Tensor, target: Tensor, of_head: Callable[..., Any]
) -> tuple[Any, ...]:
    h = model(x)
    total, of_chunks, of_weight = x.new_zeros(()), [], torch.zeros_like(head.weight)
    for chunk, wanted in zip(h.detach().chunk(2), target.chunk(2)):
        chunk = chunk.requires_grad_(True)
        loss = F.cross_entropy(of_head(head, chunk).float(), wanted, reduction="sum")
        of_chunk, weight = torch.autograd.grad(loss, (chunk, head.weight))
        total, of_weight = total + loss.detach(), of_weight + weight
        of_chunks.append(of_chunk)
    return total, of_weight, torch.autograd.grad(h, tuple(model.parameters()), grad_outputs=torch.cat(of_chunks))


def with_targets() -> tuple[Any, ...]:
    return perceptrons(region, region), nn.Linear(WIDTH, 32, bias=False), rows(), torch.randint(0, 32, (8,))


def microbatches(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    """Gradients are added up over two microbatches."""
    losses, sums = [], None
    for part in x.chunk(2):
        loss = model(part).square().mean()
        grads = gradients(loss, model)
        sums = grads if sums is None else tuple(a + b for a, b in zip(sums, grads))
        losses.append(loss.detach())
    return losses, sums


def accumulated_then_sgd(model: nn.Module, x: Tensor) -> Tensor:
    """The same, and then an optimizer's step."""
    losses, sums = microbatches(model, x)
    with torch.no_grad():
        for parameter, gradient in zip(model.parameters(), sums):
            parameter.sub_(gradient * 0.1)
    return losses[-1]


def only_the_first_layer_is_trained(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = model(x).square().mean()
    return loss.detach(), gradients(loss, model.layers[0])


def region_whose_result_only_the_forward_uses(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    first, second = model.layers
    metric = region(first, x).detach().sin().mean()
    loss = region(second, x).square().mean()
    return metric, loss.detach(), gradients(loss, second)


def forward_only(model: nn.Module, x: Tensor) -> Tensor:
    return model(x).detach()


def no_backward_of_the_region(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    first, second = model.layers
    metric = region(first, x).detach().sin().mean()
    loss = second(x).square().mean()
    return metric, loss.detach(), gradients(loss, second)


def dropout_outside(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = F.dropout(model(F.dropout(x, 0.2)), 0.3).square().mean()
    return loss.detach(), gradients(loss, model)


def unused_random_number(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    loss = model(x + torch.rand_like(x)).square().mean()
    return loss.detach(), gradients(loss, model)


def views_and_items(w: Tensor, x: Tensor) -> tuple[Any, ...]:
    def function(x: Tensor, w: Tensor) -> Tensor:
        a, b, c, d = (x @ w).split(WIDTH // 4, -1)
        values, indices = torch.cat([a * b.sin(), c * d.cos()], -1).view(2, 4, -1).transpose(0, 1).topk(3, -1)
        variance, mean = torch.var_mean(values, -1)
        return (values.exp() * indices.float()).sum(-1) + variance * mean

    loss = region(function, x, w).square().mean()
    return loss.detach(), torch.autograd.grad(loss, (w, x))


def state_written_twice(scale: Tensor, model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    """An input is written to in the forward, with what a region computed, and by the optimizer."""

    def function(x: Tensor, scale: Tensor) -> tuple[Tensor, Tensor]:
        doubled = scale * 2
        return model(x * doubled), doubled

    y, doubled = region(function, x, scale)
    with torch.no_grad():
        scale.copy_(doubled)
    loss = y.square().mean()
    grads = gradients(loss, model)
    with torch.no_grad():
        scale.sub_(grads[0].mean())
    return loss.detach(), grads


def second_order(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    """A penalty on the gradient: a backward of the backward."""
    x = x.clone().requires_grad_(True)
    loss = model(x).square().mean()
    (slope,) = torch.autograd.grad(loss, x, create_graph=True)
    penalty = loss + slope.square().sum()
    return penalty.detach(), gradients(penalty, model)


def leaf_rows() -> Tensor:
    return rows().requires_grad_(True)


def under_fake_ranks() -> Layers:
    """Linear layers whose weights lie on two ranks, of which only this one is."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    if not dist.is_initialized():
        dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
    return Layers([ShardedLinear(), ShardedLinear()], [region, region])


def branch_beside_region(w: Tensor, x: Tensor) -> tuple[Any, ...]:
    def function(x: Tensor, w: Tensor) -> Tensor:
        return torch.tanh(x @ w).sin()

    h = region(function, x, w)
    loss = (torch.cond(h.detach().sum() > 0, torch.sin, torch.cos, (h,)) * h).square().mean()
    return loss.detach(), torch.autograd.grad(loss, (w, x))


def sizes_of_data(w: Tensor, x: Tensor) -> tuple[Any, ...]:
    """How many rows a value has depends on the data."""

    def function(x: Tensor, w: Tensor) -> Tensor:
        return torch.sin(x @ w).tanh()

    chosen = x[(x.detach().sum(-1) > 0).nonzero().squeeze(-1)]
    loss = region(function, chosen, w).square().sum()
    return loss.detach(), torch.autograd.grad(loss, (w, x))


def w_and_rows() -> tuple[Tensor, Tensor]:
    return torch.randn(WIDTH, WIDTH, requires_grad=True), leaf_rows()


def noted_regions(model: nn.Module, x: Tensor) -> tuple[Any, ...]:
    """Regions that are only noted, for a trainer's own pass to tag, as make_fx needs it; and an optimizer."""
    for number, layer in enumerate(model.layers):
        with annotate({"region": number}):
            x = layer(x)
    loss = x.square().mean()
    grads = gradients(loss, model)
    with torch.no_grad():
        for parameter, gradient in zip(model.parameters(), grads):
            parameter.sub_(gradient * 0.1)
    return loss.detach(), grads


SAVE_PRODUCTS = {
    aten.mm.default: Policy.MUST_SAVE,
    aten.addmm.default: Policy.MUST_SAVE,
    aten.bmm.default: Policy.MUST_SAVE,
}
SAC = {
    "sac_must_save": selective(SAVE_PRODUCTS, Policy.PREFER_RECOMPUTE),
    "sac_prefer_save": selective({aten.addmm.default: Policy.PREFER_SAVE}, Policy.PREFER_RECOMPUTE),
    "sac_must_recompute": selective(SAVE_PRODUCTS, Policy.MUST_RECOMPUTE),
    "sac_prefer_recompute": selective({aten.gelu.default: Policy.PREFER_RECOMPUTE}, Policy.MUST_SAVE),
    "sac_must_cpu_offload": selective({aten.addmm.default: Policy.MUST_CPU_OFFLOAD}, Policy.MUST_RECOMPUTE),
    "sac_prefer_cpu_offload": selective({aten.gelu.default: Policy.PREFER_CPU_OFFLOAD}, Policy.PREFER_RECOMPUTE),
    "sac_save_all": selective({}, Policy.MUST_SAVE),
    "sac_must_recompute_all": selective({}, Policy.MUST_RECOMPUTE),
}
EVERY_POLICY = selective(
    {
        aten.addmm.default: Policy.MUST_SAVE,
        aten.native_layer_norm.default: Policy.PREFER_SAVE,
        aten._softmax.default: Policy.MUST_RECOMPUTE,
        aten.gelu.default: Policy.PREFER_CPU_OFFLOAD,
        aten.bmm.default: Policy.MUST_CPU_OFFLOAD,
    },
    Policy.PREFER_RECOMPUTE,
)

STEPS = {
    "mlp": of_model(lambda: perceptrons(region, region), rows),
    "mlp_of_inductor": of_model(lambda: perceptrons(region, region), rows, tracer="inductor"),
    "mlp_without_tags": of_model(lambda: perceptrons(plain, plain), rows),
    "mlp_relu_one_region": of_model(lambda: perceptrons(region, activation=torch.relu), rows),
    "mlp_wide": of_model(lambda: perceptrons(region, region, region, width=64), lambda: torch.randn(4, 64)),
    "every_other_layer": of_model(lambda: perceptrons(region, plain, region, plain), rows),
    "consecutive_regions": of_model(lambda: perceptrons(region, region, region, region, activation=torch.tanh), rows),
    "nested_regions": of_model(lambda: perceptrons(nested, region), rows),
    "last_layer_plain": of_model(lambda: perceptrons(region, region, plain), rows),
    "attention": of_model(lambda: Layers([Block()], [region]), tokens),
    "attention_of_inductor": of_model(lambda: Layers([Block()], [region]), tokens, tracer="inductor"),
    "attention_fused": of_model(lambda: Layers([FusedAttention()], [region]), tokens),
    "attention_every_policy": of_model(lambda: Layers([Block()], [EVERY_POLICY]), tokens),
    "attention_every_policy_of_inductor": of_model(
        lambda: Layers([Block()], [EVERY_POLICY]), tokens, tracer="inductor"
    ),
    **{name: of_model(lambda kind=kind: perceptrons(kind, kind), rows) for name, kind in SAC.items()},
    "dynamic_sizes": of_model(lambda: perceptrons(region, region), rows, dynamic=True),
    "dynamic_sizes_attention": of_model(lambda: Layers([Block()], [region]), tokens, dynamic=True),
    "batch_norm_outside": of_model(lambda: Layers([Convolution(), Convolution()], [plain, plain]), images),
    "batch_norm_in_region": of_model(lambda: Layers([Convolution(), Convolution()], [region, region]), images),
    "batch_norm_of_inductor": of_model(lambda: Layers([Convolution()], [region]), images, tracer="inductor"),
    "dropout_in_region": of_model(lambda: Layers([Block(Attention(0.2))], [region]), tokens),
    "dropout_in_region_saved": of_model(
        lambda: Layers(
            [Block(Attention(0.2))],
            [selective({aten.native_dropout.default: Policy.MUST_SAVE}, Policy.PREFER_RECOMPUTE)],
        ),
        tokens,
    ),
    "dropout_outside": Traced(dropout_outside, lambda: (perceptrons(region, region), rows())),
    "random_number_outside": Traced(unused_random_number, lambda: (perceptrons(region), rows())),
    "sgd": Traced(sgd_step, lambda: (perceptrons(region, region), rows())),
    "sgd_with_momentum": Traced(sgd_with_momentum, with_momenta),
    "adamw": Traced(adamw_step, with_states_of_adamw),
    "adamw_of_inductor": Traced(adamw_step, with_states_of_adamw, tracer="inductor"),
    "phase_annotated": Traced(annotated_step, lambda: (perceptrons(region, region), rows())),
    "phase_annotated_with_optimizer": Traced(optimizer_annotated_too, lambda: (perceptrons(region, region), rows())),
    "phase_annotated_twice": Traced(two_annotated_regions, lambda: (perceptrons(region), rows())),
    "two_losses": Traced(two_losses_of_one_model, lambda: (perceptrons(plain, plain), rows())),
    "two_losses_of_one_trunk": Traced(two_losses_of_one_trunk, lambda: (perceptrons(plain, plain, plain), rows())),
    "two_losses_one_with_a_region": Traced(two_losses_one_with_a_region, lambda: (perceptrons(plain, plain), rows())),
    "two_losses_in_one_backward": Traced(two_losses_in_one_backward, lambda: (perceptrons(plain, plain), rows())),
    "chunked_cross_entropy": Traced(chunked_loss, with_targets),
    "chunked_cross_entropy_in_regions": Traced(checkpointed_chunked_loss, with_targets),
    "microbatches": Traced(microbatches, lambda: (perceptrons(region), rows())),
    "accumulated_then_sgd": Traced(accumulated_then_sgd, lambda: (perceptrons(region, region), rows())),
    "first_layer_trained": Traced(only_the_first_layer_is_trained, lambda: (perceptrons(region, region), rows())),
    "region_for_the_forward_only": Traced(
        region_whose_result_only_the_forward_uses, lambda: (perceptrons(plain, plain), rows())
    ),
    "region_without_backward": Traced(no_backward_of_the_region, lambda: (perceptrons(plain, plain), rows())),
    "forward_only": Traced(forward_only, lambda: (perceptrons(region, region), rows())),
    "views_and_items": Traced(views_and_items, w_and_rows),
    "branch_beside_region": Traced(branch_beside_region, w_and_rows),
    "sizes_of_data": Traced(sizes_of_data, w_and_rows),
    "collectives_in_region": of_model(under_fake_ranks, rows),
    "collectives_in_region_of_inductor": of_model(under_fake_ranks, rows, tracer="inductor"),
    "bfloat16": of_model(lambda: perceptrons(region, region).bfloat16(), lambda: rows().bfloat16()),
    "autocast": Traced(autocast_step, lambda: (perceptrons(region), rows())),
    "state_written_in_forward_and_backward": Traced(
        state_written_twice, lambda: (torch.ones(()), perceptrons(plain), rows())
    ),
    "make_fx": Traced(step, lambda: (perceptrons(plain, plain), rows()), "make_fx"),
    "make_fx_noted_regions": Traced(noted_regions, lambda: (perceptrons(plain, plain), rows()), "make_fx"),
    "make_fx_phase_annotated": Traced(annotated_step, lambda: (perceptrons(plain), rows()), "make_fx"),
    "make_fx_dropout": Traced(dropout_outside, lambda: (perceptrons(plain), rows()), "make_fx"),
    "second_order": Traced(second_order, lambda: (perceptrons(region, activation=torch.tanh), rows())),
}
