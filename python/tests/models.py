"""Models of transformers with random weights: by the name of a graph of the corpus in its sizes, and tiny ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

VOCABULARY = 1000

Step = tuple[nn.Module, dict[str, Tensor]]


# transformers says that it needs 2.6, and needs more.
OLDEST_FOR_TRANSFORMERS = (2, 7)


class LossOnly(nn.Module):
    """Only the loss of a transformers model."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, **inputs: Any) -> Tensor:
        return self.model(**inputs).loss


def token_ids(*shape: int) -> Tensor:
    return torch.randint(0, VOCABULARY, shape)


def language_model(model: nn.Module, *shape: int) -> Step:
    ids = token_ids(*shape)
    return LossOnly(model.train()), {"input_ids": ids, "labels": ids}


def image_model(model: nn.Module) -> Step:
    inputs = {"pixel_values": torch.randn(2, 3, 64, 64), "labels": torch.randint(0, 2, (2,))}
    return LossOnly(model.train()), inputs


def gpt2(layers: int = 2) -> nn.Module:
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(n_embd=128, n_layer=layers, n_head=4, vocab_size=VOCABULARY, use_cache=False)
    )


def llama() -> nn.Module:
    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(
            vocab_size=VOCABULARY,
            hidden_size=256,
            intermediate_size=512,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_key_value_heads=2,
            use_cache=False,
        )
    )


def resnet18() -> nn.Module:
    return transformers.ResNetForImageClassification(
        transformers.ResNetConfig(
            embedding_size=64,
            hidden_sizes=[64, 128, 256, 512],
            depths=[2, 2, 2, 2],
            layer_type="basic",
            num_labels=2,
        )
    )


def bert() -> nn.Module:
    return transformers.BertForMaskedLM(
        transformers.BertConfig(
            vocab_size=VOCABULARY,
            hidden_size=128,
            num_hidden_layers=4,
            num_attention_heads=4,
            intermediate_size=256,
        )
    )


def t5() -> nn.Module:
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=VOCABULARY,
            d_model=128,
            d_kv=32,
            d_ff=256,
            num_layers=2,
            num_heads=4,
            decoder_start_token_id=0,
            use_cache=False,
        )
    )


def vit() -> nn.Module:
    return transformers.ViTForImageClassification(
        transformers.ViTConfig(
            hidden_size=128,
            num_hidden_layers=4,
            num_attention_heads=4,
            intermediate_size=256,
            image_size=64,
            patch_size=16,
            num_labels=2,
        )
    )


CORPUS_MODELS: dict[str, Callable[[], Step]] = {
    "gpt2_2layer": lambda: language_model(gpt2(), 4, 128),
    "llama_4layer": lambda: language_model(llama(), 2, 128),
    "resnet18": lambda: image_model(resnet18()),
    "bert_4layer": lambda: language_model(bert(), 4, 64),
    "t5_2layer": lambda: language_model(t5(), 2, 48),
    "vit_4layer": lambda: image_model(vit()),
}


def tiny_gpt2() -> nn.Module:
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(n_embd=32, n_layer=1, n_head=2, vocab_size=64, n_positions=64, use_cache=False)
    )


def tiny_llama() -> nn.Module:
    return transformers.LlamaForCausalLM(
        transformers.LlamaConfig(**TINY, num_key_value_heads=1, attention_dropout=0.1, use_cache=False)
    )


def tiny_bert() -> nn.Module:
    return transformers.BertForMaskedLM(transformers.BertConfig(**TINY))


def tiny_t5() -> nn.Module:
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(
            vocab_size=64,
            d_model=32,
            d_kv=16,
            d_ff=64,
            num_layers=1,
            num_heads=2,
            decoder_start_token_id=0,
            use_cache=False,
        )
    )


def tiny_mixture_of_experts() -> nn.Module:
    return transformers.MixtralForCausalLM(
        transformers.MixtralConfig(
            **TINY,
            num_key_value_heads=1,
            num_local_experts=4,
            num_experts_per_tok=2,
            attention_dropout=0.1,
            use_cache=False,
        )
    )


def tiny_resnet() -> nn.Module:
    return transformers.ResNetForImageClassification(
        transformers.ResNetConfig(
            embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic", num_labels=2
        )
    )


class Checkpointed(nn.Module):
    """A module whose forward runs again in the backward."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, x: Tensor) -> Tensor:
        return checkpoint(self.module, x, use_reentrant=False)


def checkpointed(step: Step) -> Step:
    """The step with activation checkpointing, by transformers if it supports that for the model."""
    model = step[0].model
    if model.supports_gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    else:
        encoder = model.resnet.encoder
        encoder.stages = nn.ModuleList(Checkpointed(stage) for stage in encoder.stages)
    return step


def tiny_language_model(model: nn.Module) -> Step:
    ids = torch.randint(0, 64, (2, 16))
    return LossOnly(model.train()), {"input_ids": ids, "labels": ids}


def tiny_image_model(model: nn.Module) -> Step:
    inputs = {"pixel_values": torch.randn(2, 3, 32, 32), "labels": torch.randint(0, 2, (2,))}
    return LossOnly(model.train()), inputs


TINY = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
}
# All draw random numbers for dropout, except ResNet, which has none and updates its running statistics.
TINY_MODELS: dict[str, Callable[[], Step]] = {
    "gpt2": lambda: tiny_language_model(tiny_gpt2()),
    "llama": lambda: tiny_language_model(tiny_llama()),
    "resnet": lambda: tiny_image_model(tiny_resnet()),
    "bert": lambda: tiny_language_model(tiny_bert()),
    "t5": lambda: tiny_language_model(tiny_t5()),
    "mixture_of_experts": lambda: tiny_language_model(tiny_mixture_of_experts()),
}
