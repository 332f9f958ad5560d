"""Models that no rule of lib/deciding/inductor was formed by, in the size that a measurement asks for, with random weights."""

from __future__ import annotations

from collections.abc import Callable

import diffusers
import torch
import transformers
from layers import Around, GatedLoop, SumOf
from sized_models import HEADS, PATCH, VOCABULARY, Size, Step, image_model, language_model, tokens
from torch import Tensor, nn
from torch.nn import functional as F


class Denoised(nn.Module):
    """The mean square of what a diffusion transformer takes for noise."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor, timestep: Tensor, class_labels: Tensor) -> Tensor:
        return self.model(x, timestep=timestep, class_labels=class_labels).sample.square().mean()


class Scan(nn.Module):
    """A selective state space, as Mamba's, by cumulative sums."""

    def __init__(self, width: int, states: int) -> None:
        super().__init__()
        self.gate, self.steps, self.out = nn.Linear(width, 2 * width), nn.Linear(width, width), nn.Linear(width, width)
        self.into, self.out_of = nn.Linear(width, states), nn.Linear(width, states)
        self.decay = nn.Parameter(torch.randn(width, states))

    def forward(self, x: Tensor) -> Tensor:
        value, gate = self.gate(x).chunk(2, -1)
        steps = F.softplus(self.steps(value))
        decays = (-self.decay.exp() * steps.unsqueeze(-1)).cumsum(1)
        driven = (steps * value).unsqueeze(-1) * self.into(value).unsqueeze(-2)
        state = decays.exp() * (driven * (-decays).exp()).cumsum(1)
        return self.out((state * self.out_of(value).unsqueeze(-2)).sum(-1) * F.silu(gate))


class Messages(nn.Module):
    """A layer of a graph network: messages along edges, added and, scaled, the greatest at their targets."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.message = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, width))
        self.update = nn.Linear(2 * width, width)

    def forward(self, nodes: Tensor, sources: Tensor, targets: Tensor) -> Tensor:
        sent = self.message(torch.cat([nodes[sources], nodes[targets]], -1))
        added = torch.zeros_like(nodes).index_add(0, targets, sent)
        places = targets.unsqueeze(-1).expand_as(sent)
        greatest = torch.zeros_like(nodes).scatter_reduce(0, places, sent, "amax")
        return nodes + F.gelu(self.update(torch.cat([added, greatest], -1)))


class GraphNetwork(nn.Module):
    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Messages(width) for _ in range(layers)])

    def forward(self, nodes: Tensor, sources: Tensor, targets: Tensor) -> Tensor:
        for layer in self.layers:
            nodes = layer(nodes, sources, targets)
        return nodes.square().mean()


def deberta(size: Size) -> Step:
    config = transformers.DebertaV2Config(**size.names(), relative_attention=True, pos_att_type=["p2c", "c2p"])
    return language_model(transformers.DebertaV2ForMaskedLM(config), size)


def gpt_neox(size: Size) -> Step:
    config = transformers.GPTNeoXConfig(**size.names(), use_cache=False)
    return language_model(transformers.GPTNeoXForCausalLM(config), size)


def gemma(size: Size) -> Step:
    config = transformers.Gemma2Config(**size.names(), num_key_value_heads=2, head_dim=size.width // HEADS, use_cache=False)
    return language_model(transformers.Gemma2ForCausalLM(config), size)


def whisper(size: Size) -> Step:
    config = transformers.WhisperConfig(
        vocab_size=VOCABULARY, d_model=size.width, encoder_layers=size.layers, decoder_layers=size.layers,
        encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=size.inner, decoder_ffn_dim=size.inner,
        num_mel_bins=40, max_source_positions=size.length, max_target_positions=size.length, pad_token_id=0, bos_token_id=0,
        eos_token_id=0, decoder_start_token_id=0, use_cache=False,
    )  # fmt: skip
    model, inputs = language_model(transformers.WhisperForConditionalGeneration(config), size)
    return model, {"input_features": torch.randn(size.batch, 40, 2 * size.length), "labels": inputs["labels"]}


def swin(size: Size) -> Step:
    config = transformers.SwinConfig(
        image_size=size.pixels, patch_size=PATCH, embed_dim=size.width // 2, depths=[2, 2], num_heads=[2, 4], window_size=4,
        num_labels=2,
    )
    return image_model(transformers.SwinForImageClassification(config), size, size.pixels)


def mobilenet(size: Size) -> Step:
    config = transformers.MobileNetV2Config(image_size=size.pixels, depth_multiplier=0.5, num_labels=2)
    return image_model(transformers.MobileNetV2ForImageClassification(config), size, size.pixels)


def efficientnet(size: Size) -> Step:
    config = transformers.EfficientNetConfig(image_size=size.pixels, width_coefficient=0.5, depth_coefficient=0.5, num_labels=2)
    return image_model(transformers.EfficientNetForImageClassification(config), size, size.pixels)


def convnext(size: Size) -> Step:
    widths, depths = [32, 64, 96, 128], [2, 2, 3, 2]
    config = transformers.ConvNextV2Config(hidden_sizes=widths, depths=depths, image_size=size.pixels, num_labels=2)
    return image_model(transformers.ConvNextV2ForImageClassification(config), size, size.pixels)


def segformer(size: Size) -> Step:
    config = transformers.SegformerConfig(hidden_sizes=[16, 32, 64, 96], num_labels=2)
    return image_model(transformers.SegformerForImageClassification(config), size, size.pixels)


def diffusion(size: Size) -> Step:
    side = size.pixels // 4
    model = diffusers.DiTTransformer2DModel(
        num_attention_heads=HEADS, attention_head_dim=size.width // HEADS, in_channels=4, out_channels=4, num_layers=size.layers,
        sample_size=side, patch_size=2, num_embeds_ada_norm=10,
    )  # fmt: skip
    noisy, steps = torch.randn(size.batch, 4, side, side), torch.randint(0, 1000, (size.batch,))
    labels = torch.randint(0, 10, (size.batch,))
    return Denoised(model.train()), {"x": noisy, "timestep": steps, "class_labels": labels}


def lstm(size: Size) -> Step:
    return SumOf(GatedLoop(size.width, 16)), {"x": torch.randn(16 * size.batch, 16, size.width)}


def state_space(size: Size) -> Step:
    layers = (Around(nn.LayerNorm(size.width), Scan(size.width, 8)) for _ in range(size.layers))
    return SumOf(*layers), tokens(size)


def graph_network(size: Size) -> Step:
    nodes, edges = size.batch * size.length, 4 * size.batch * size.length
    ends = {"sources": torch.randint(0, nodes, (edges,)), "targets": torch.randint(0, nodes, (edges,))}
    return GraphNetwork(size.width, size.layers), {"nodes": torch.randn(nodes, size.width), **ends}


HELD_OUT: dict[str, Callable[[Size], Step]] = {
    "deberta": deberta,
    "gpt_neox": gpt_neox,
    "gemma": gemma,
    "whisper": whisper,
    "swin": swin,
    "segformer": segformer,
    "mobilenet": mobilenet,
    "efficientnet": efficientnet,
    "convnext": convnext,
    "diffusion": diffusion,
    "lstm": lstm,
    "state_space": state_space,
    "graph_net": graph_network,
}
