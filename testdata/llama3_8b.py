"""A training step of Llama-3-8B on 8,192 tokens, in bfloat16, as transformers has it. Needs neither the GPU nor the memory:

python -m fxcut.capture testdata/llama3_8b.py --device h100
"""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

# config.json of meta-llama/Meta-Llama-3-8B
CONFIG = LlamaConfig(
    vocab_size=128256,
    hidden_size=4096,
    intermediate_size=14336,
    num_hidden_layers=32,
    num_attention_heads=32,
    num_key_value_heads=8,
    max_position_embeddings=8192,
    rms_norm_eps=1e-5,
    rope_theta=500000.0,
    use_cache=False,
)

with torch.device("cuda"):
    model = LlamaForCausalLM._from_config(CONFIG, dtype=torch.bfloat16).train()
    tokens = torch.randint(0, CONFIG.vocab_size, (1, 8192))


@torch.compile
def loss_of(tokens: torch.Tensor) -> torch.Tensor:
    return model(input_ids=tokens, labels=tokens).loss


loss_of(tokens).backward()
