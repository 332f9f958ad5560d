#!/usr/bin/env python3
"""Records how torchtitan splits backwards in gradients of inputs and of weights, as testdata/split_backward has it.

usage: record_split_backward.py TORCHTITAN FOLDER

Runs in an environment with PyTorch 2.15 and the package fxcut, without torchtitan's own requirements: of the checkout TORCHTITAN
only experiments/graph_trainer/graph_pp/split_di_dw.py is loaded. In FOLDER it writes for each model the joint graph, and the names of
the nodes and outputs of both parts of PyTorch's own partition.
"""
import copy, json, pathlib, sys, types

import torch
from torch import fx, nn
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._subclasses.fake_tensor import FakeTensor
from functorch.compile import make_boxed_func

from fxcut.to_json import joint_graph_to_json


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.project, self.out = nn.LayerNorm(32), nn.Linear(32, 96), nn.Linear(32, 32)

    def forward(self, x):
        batch, time, width = x.shape
        q, k, v = self.project(self.norm(x)).view(batch, time, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.out(attended.transpose(1, 2).reshape(batch, time, width))


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.Conv2d(8, 3, 3, padding=1)

    def forward(self, x):
        return x + self.second(torch.relu(self.norm(self.first(x))))


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate, self.experts = nn.Linear(16, 4), nn.ModuleList(nn.Linear(16, 16) for _ in range(4))

    def forward(self, x):
        weights, chosen = self.gate(x).softmax(-1).topk(2)
        of_all = torch.stack([expert(x) for expert in self.experts], -2)
        taken = torch.gather(of_all, -2, chosen[..., None].expand(*chosen.shape, 16))
        return x + (taken * weights[..., None]).sum(-2)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight, self.cell = nn.Parameter(torch.randn(8, 8)), nn.GRUCell(8, 8)

    def forward(self, x, state):
        for _ in range(2):
            state = self.cell(x @ self.weight, state)
        return state, torch.chunk(state * x.sum(), 2, -1)[0]


def mlp():
    return nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 16), nn.Tanh(), nn.Dropout(0.1))


MODELS = {  # name: model, inputs, whether sizes are symbolic
    "mlp": (mlp, [(4, 16)], False),
    "attention": (Attention, [(2, 16, 32)], False),
    "attention_of_any_size": (Attention, [(2, 16, 32)], True),
    "convolutions": (Convolutions, [(2, 3, 8, 8)], False),
    "experts": (Experts, [(5, 16)], False),
    "experts_of_any_size": (Experts, [(5, 16)], True),
    "recurrent": (Recurrent, [(3, 8), (3, 8)], False),
}


def names(values):
    return [value.name if isinstance(value, fx.Node) else None for value in values]


def nodes(graph):
    return [node.name for node in graph.nodes if node.op != "output"]


def load_split(checkout):
    """torchtitan's split_di_dw_graph, with the few helpers that it imports."""
    helpers = types.ModuleType("torchtitan.experiments.graph_trainer.graph_pp.utils")
    of = lambda gm, op: [node for node in gm.graph.nodes if node.op == op]
    helpers.is_fake_tensor_node = lambda node: isinstance(node.meta.get("val"), FakeTensor)
    helpers.placeholder_names = lambda gm: tuple(names(of(gm, "placeholder")))
    helpers.output_names = lambda gm: tuple(names(of(gm, "output")[0].args[0]))
    helpers.rename_placeholder = lambda gm, node, name: None
    helpers.trace_graph_pp_graph = lambda name, gm: None
    helpers.unique_in_order = lambda values: list(dict.fromkeys(values))
    package = helpers.__name__.split(".")
    for i in range(1, len(package)):
        sys.modules[".".join(package[:i])] = types.ModuleType(".".join(package[:i]))
    sys.modules[helpers.__name__] = helpers
    module = types.ModuleType("split_di_dw")
    sys.modules[module.__name__] = module
    path = pathlib.Path(checkout) / "torchtitan/experiments/graph_trainer/graph_pp/split_di_dw.py"
    exec(compile(path.read_text(), path.name, "exec"), module.__dict__)
    return module.split_di_dw_graph


def with_weights_first(backward, weights):
    """The backward with the gradients of the weights before the others, as split_di_dw_graph takes it."""
    backward = copy.deepcopy(backward)
    output = next(node for node in backward.graph.nodes if node.op == "output")
    order = sorted(range(len(output.args[0])), key=lambda i: i not in weights)
    output.args = (tuple(output.args[0][i] for i in order),)
    output.meta["desc"] = [output.meta["desc"][i] for i in order]
    return backward


def record(name, model, sizes, is_dynamic, split, folder):
    def partition(joint, inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **others):
        weights = list(static_lifetime_input_indices or [])
        facts = {"num_fwd_outputs": num_fwd_outputs, "static_lifetime_input_indices": weights}
        graph = copy.deepcopy(joint_graph_to_json(joint, name=name, **facts))
        forward, backward = min_cut_rematerialization_partition(joint, inputs, **facts, **others)
        parts = split(with_weights_first(backward, set(weights)), num_param_grads=len(weights))
        answer = {
            part: {"nodes": nodes(module.graph), "outputs": names(module.graph.output_node().args[0])}
            for part, module in (("backward_input", parts.bw_di_module), ("backward_weight", parts.bw_dw_module))
        }
        (folder / f"{name}.parts.json").write_text(json.dumps(answer) + "\n")
        lines = ",\n".join(json.dumps(node) for node in graph.pop("nodes"))
        (folder / f"{name}.json").write_text(json.dumps(graph)[:-1] + ', "nodes": [\n' + lines + "\n]}\n")
        return forward, backward

    torch._dynamo.reset()
    torch.manual_seed(0)
    run = lambda module, inputs: make_boxed_func(module.forward)
    backend = aot_autograd(fw_compiler=run, bw_compiler=run, partition_fn=partition, keep_inference_input_mutations=True)
    inputs = [torch.randn(size, requires_grad=True) for size in sizes]
    torch.compile(model(), backend=backend, dynamic=is_dynamic)(*inputs)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (model, sizes, is_dynamic) in MODELS.items():
        record(name, model, sizes, is_dynamic, load_split(sys.argv[1]), folder)
