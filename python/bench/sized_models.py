"""Training steps of the usual architectures in the size that a measurement asks for, with random weights."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers
from layers import Around, Attention, Routed, SumOf, Transposed, UNet, convolution
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from models import LossOnly  # noqa: E402

Step = tuple[nn.Module, dict[str, Tensor]]

HEADS = 4
VOCABULARY = 256
PATCH = 4  # pixels, of a vision transformer's images


class Size(NamedTuple):
    """width: of a token. layers: that repeat. channels: of the first convolution. batch, length: tokens; pixels: a side."""

    width: int
    layers: int
    channels: int
    batch: int
    length: int
    pixels: int

    @property
    def inner(self) -> int:
        return 3 * self.width

    def names(self) -> dict[str, int]:
        """As most configurations of transformers call them."""
        return {
            "vocab_size": VOCABULARY,
            "hidden_size": self.width,
            "intermediate_size": self.inner,
            "num_attention_heads": HEADS,
            "num_hidden_layers": self.layers,
            "max_position_embeddings": max(self.length, 512),
        }


MEMORY = Size(width=64, layers=2, channels=16, batch=8, length=256, pixels=128)  # activations dominate
RUN_TIME = Size(width=256, layers=3, channels=32, batch=4, length=256, pixels=128)  # products dominate


def language_model(model: nn.Module, size: Size) -> Step:
    ids = torch.randint(0, VOCABULARY, (size.batch, size.length))
    return LossOnly(model.train()), {"input_ids": ids, "labels": ids}


def image_model(model: nn.Module, size: Size, pixels: int) -> Step:
    images = {"pixel_values": torch.randn(size.batch, 3, pixels, pixels), "labels": torch.randint(0, 2, (size.batch,))}
    return LossOnly(model.train()), images


def llama(size: Size) -> Step:
    config = transformers.LlamaConfig(**size.names(), num_key_value_heads=2, use_cache=False)
    return language_model(transformers.LlamaForCausalLM(config), size)


def gpt2(size: Size) -> Step:
    sizes = {"n_embd": size.width, "n_layer": size.layers, "n_head": HEADS, "n_positions": max(size.length, 1024)}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, vocab_size=VOCABULARY, use_cache=False))
    model.loss_type = "ForCausalLM"  # what it takes otherwise, with a warning that breaks the graph
    return language_model(model, size)


def bert(size: Size) -> Step:
    return language_model(transformers.BertForMaskedLM(transformers.BertConfig(**size.names())), size)


def t5(size: Size) -> Step:
    sizes = {"d_model": size.width, "d_kv": size.width // HEADS, "d_ff": size.inner}
    sizes |= {"num_layers": size.layers, "num_heads": HEADS}
    config = transformers.T5Config(**sizes, vocab_size=VOCABULARY, decoder_start_token_id=0, use_cache=False)
    return language_model(transformers.T5ForConditionalGeneration(config), size)


def mixture(size: Size) -> Step:
    experts: dict[str, Any] = {"num_key_value_heads": 2, "num_local_experts": 4, "num_experts_per_tok": 2}
    config = transformers.MixtralConfig(**size.names(), **experts, use_cache=False)
    return language_model(transformers.MixtralForCausalLM(config), size)


def vit(size: Size) -> Step:
    pixels = PATCH * int(size.length**0.5)
    names = ("hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers")
    sizes = {name: size.names()[name] for name in names}
    config = transformers.ViTConfig(**sizes, image_size=pixels, patch_size=PATCH, num_labels=2)
    return image_model(transformers.ViTForImageClassification(config), size, pixels)


def resnet(size: Size) -> Step:
    widths = [size.channels * factor for factor in (1, 2, 4, 8)]
    config = transformers.ResNetConfig(
        embedding_size=size.channels, hidden_sizes=widths, depths=[1, 1, 1, 1], layer_type="basic", num_labels=2
    )
    return image_model(transformers.ResNetForImageClassification(config), size, size.pixels)


def unet(size: Size) -> Step:
    return UNet(size.channels), {"x": torch.randn(size.batch, 3, size.pixels, size.pixels)}


def convnet(size: Size) -> Step:
    layers = [convolution(3, size.channels), *(Around(convolution(size.channels, size.channels)) for _ in range(5))]
    return SumOf(*layers), {"x": torch.randn(size.batch, 3, size.pixels // 2, size.pixels // 2)}


def block(width: int, inner: int, activation: type[nn.Module]) -> nn.Module:
    return Around(nn.LayerNorm(width), nn.Linear(width, inner), activation(), nn.Linear(inner, width))


def tokens(size: Size) -> dict[str, Tensor]:
    return {"x": torch.randn(size.batch, size.length, size.width)}


def perceptron(size: Size) -> Step:
    blocks = (block(size.width, size.inner, nn.GELU) for _ in range(size.layers + 1))
    return SumOf(*blocks), {"x": torch.randn(4 * size.batch * size.length, size.width)}


def attention(size: Size) -> Step:
    mixing = lambda: Around(nn.LayerNorm(size.width), Attention(size.width, HEADS))  # noqa: E731
    return SumOf(*(nn.Sequential(mixing(), block(size.width, size.inner, nn.SiLU)) for _ in range(size.layers + 1))), tokens(size)


def mixer(size: Size) -> Step:
    mixing = lambda: Around(  # noqa: E731
        nn.LayerNorm(size.width), Transposed(nn.Linear(size.length, size.width), nn.GELU(), nn.Linear(size.width, size.length))
    )
    return SumOf(*(nn.Sequential(mixing(), block(size.width, size.inner, nn.GELU)) for _ in range(size.layers + 1))), tokens(size)


def routed(size: Size) -> Step:
    return Routed(size.width), tokens(size)


MODELS: dict[str, Callable[[Size], Step]] = {
    "mlp": perceptron,
    "attention": attention,
    "mixer": mixer,
    "routed": routed,
    "llama": llama,
    "gpt2": gpt2,
    "bert": bert,
    "t5": t5,
    "mixture": mixture,
    "vit": vit,
    "convnet": convnet,
    "resnet": resnet,
    "unet": unet,
}
