"""Models of transformers with random weights, in the sizes of the corpus: name of the graph -> the model and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch import Tensor, nn

VOCABULARY = 1000

Step = tuple[nn.Module, dict[str, Tensor]]


class LossOnly(nn.Module):
    """Of a transformers model, the loss alone."""

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
