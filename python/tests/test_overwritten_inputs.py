"""The backward reads what an input was before the forward overwrote it."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor, nn

import fxcut

pytestmark = pytest.mark.brief


class MovingScale(nn.Module):
    """Clones the buffer before it changes it, as eager's autograd wants it; inductor's passes remove the clone."""

    scale: Tensor

    def __init__(self, through_view: bool) -> None:
        super().__init__()
        self.linear = nn.Linear(6, 6)
        self.register_buffer("scale", torch.linspace(1, 2, 6))
        self.through_view = through_view

    def forward(self, x: Tensor) -> Tensor:
        scale = self.scale.view(2, 3).clone().view(6) if self.through_view else self.scale.clone()
        result = (self.linear(x) * scale).sin().sum()
        self.scale.mul_(0.5)
        return result


def gradient(step: nn.Module, model: MovingScale) -> Tensor:
    step(torch.linspace(-1, 1, 30).view(5, 6)).backward()
    assert model.linear.weight.grad is not None
    return model.linear.weight.grad


@pytest.mark.parametrize("backend", ["inductor", "aot_eager"])
@pytest.mark.parametrize("through_view", [False, True])
def test_gradients_are_those_of_eager(backend: str, through_view: bool) -> None:
    torch.manual_seed(0)
    model = MovingScale(through_view)
    expected = gradient(eager := copy.deepcopy(model), eager)
    for limit in (None, "least"):
        torch._dynamo.reset()
        with fxcut.partitioning_by(fxcut.Partitioner(saved_bytes=limit)):
            found = gradient(torch.compile(compiled := copy.deepcopy(model), backend=backend), compiled)
        torch.testing.assert_close(found, expected)
        torch.testing.assert_close(compiled.scale, eager.scale)
