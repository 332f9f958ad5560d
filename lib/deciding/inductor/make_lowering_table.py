#!/usr/bin/env python3
"""Make lowering_table.inc, what inductor makes of each operator, from what dump_lowerings.py wrote of PyTorch's releases.

usage: make_lowering_table.py lowerings-2.13.json lowerings-2.15.json ... > lowering_table.inc

A row for each packet that a release lowers, sorted by name for binary search. Of one that is lowered in several ways, by its
arguments, the row has the common one.
"""
import collections
import json
import sys

# For packets that cannot be called with made-up arguments, and those whose samples do not show the common case.
READ = {
    "Extern": {
        "_c10d_functional.wait_tensor", "_c10d_functional.wait_tensors",  # they return their input, once it is there
        "aten._local_scalar_dense", "aten._assert_tensor_metadata", "aten._efficientzerotensor", "aten.sym_numel",
        "aten.resize", "inductor.resize_storage_bytes_", "prims._sink_tokens", "prims.nextafter",
        # several results from one loop
        "aten.adaptive_max_pool2d", "aten.fractional_max_pool2d", "aten.fractional_max_pool3d", "aten.frexp",
        "aten.max_pool2d_with_indices", "aten.max_pool3d_with_indices", "prims.frexp", "prims.prepare_softmax_online",
    },
    "Indirect": {
        "aten._upsample_nearest_exact2d", "aten._upsample_nearest_exact3d", "aten.upsample_nearest3d",
        "aten.avg_pool3d_backward", "aten.upsample_nearest2d_backward", "prims.inductor_lookup_seed",
    },
    "Pointwise": {
        "prims.convert_element_type", "prims.device_put", "prims.iota", "prims.scalar_tensor",
        "quantized_decomposed.dequantize_per_channel", "quantized_decomposed.dequantize_per_tensor",
        "quantized_decomposed.quantize_per_channel",
    },
    "Reduction": {"prims.sum", "prims.var", "prims.xor_sum"},
    "Stored": {"aten.cat", "prims._low_memory_max_pool_with_offsets", "prims.inductor_randint", "prims.inductor_random"},
    "View": {
        "aten.alias", "aten.detach", "aten.expand_as", "aten.lift_fresh", "aten.reshape", "prims.broadcast_in_dim", "prims.view_of",
        "prims.inductor_force_stride_order",  # a copy only of what has other strides
    },
}
# For packets that are decomposed earlier, into one expression of that kind, in graphs that still have them.
DECOMPOSED = {
    "Indirect": {"aten.flip", "aten.index_select", "aten.reflection_pad2d", "aten.roll", "aten.upsample_bilinear2d"},
    "Pointwise": {
        "aten._to_copy", "aten.clamp", "aten.elu", "aten.fill", "aten.floor_divide", "aten.full_like", "aten.gelu",
        "aten.leaky_relu", "aten.lerp", "aten.masked_fill", "aten.new_full", "aten.new_zeros", "aten.ones", "aten.ones_like",
        "aten.silu", "aten.tril", "aten.triu", "aten.zeros", "aten.zeros_like", "prims.mul",
    },
    "Reduction": {"aten.all"},
    "View": {"aten._reshape_alias", "aten.t", "aten.transpose", "aten.view_as", "operator.getitem"},
}
# If there are several answers, the first of these that is as frequent as any.
BY_FREQUENCY = ("Extern", "Stored", "View")
# Otherwise the first of these that any sample has: other samples may have one element, or read all in place.
IF_ANY = ("Indirect", "Pointwise")


def kind(packet, answers):
    for read, packets in READ.items():
        if packet in packets:
            return read
    answers = {answer: count for answer, count in answers.items() if answer != "None"}
    if not answers or packet.startswith("aten._foreach_"):  # lists
        return "Extern"
    if "Reduction" in answers:
        return "Reduction"
    for frequent in BY_FREQUENCY:
        if answers.get(frequent, 0) == max(answers.values()):
            return frequent
    return next(other for other in IF_ANY if other in answers)


def main(paths):
    packets, releases = collections.defaultdict(collections.Counter), []
    for path in paths:
        with open(path) as file:
            dump = json.load(file)
        releases.append(dump["release"])
        for packet, answers in dump["packets"].items():
            packets[packet].update(answers)
    rows = {packet: kind(packet, answers) for packet, answers in packets.items()}
    rows |= {packet: of for of, decomposed in DECOMPOSED.items() for packet in decomposed}
    print(f"// Made by make_lowering_table.py from the lowerings of torch {', '.join(releases)}. Do not edit.")
    print("constexpr PacketLowering kLowerings[] = {")
    for packet in sorted(rows):
        print(f'    {{"{packet}", Lowering::{rows[packet]}}},')
    print("};")


if __name__ == "__main__":
    main(sys.argv[1:])
