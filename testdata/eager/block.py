"""Captures block.json: a small step as eager PyTorch 2.15 runs it. usage: python testdata/eager/block.py > testdata/eager/block.json"""
import json

import torch
import torch.nn.functional as F
from torch import nn

import fxcut


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down, self.dropout = nn.LayerNorm(32), nn.Linear(32, 64), nn.Linear(64, 32), nn.Dropout(0.1)

    def forward(self, x):
        return x + self.dropout(self.down(F.gelu(self.up(self.norm(x)))))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.layers, self.head = nn.Linear(8, 32), nn.ModuleList([Layer(), Layer()]), nn.Linear(32, 1)

    def forward(self, x):
        x = torch.tanh(self.embed(x))
        for layer in self.layers:
            x = layer(x)
        return self.head(x).square().mean()


torch.manual_seed(0)
graph, = fxcut.capture_with(backend="aot_eager", name="block")(Block(), torch.randn(128, 8))
print(json.dumps(graph, separators=(",", ":")).replace('{"name":', '\n{"name":'))  # a node a line
