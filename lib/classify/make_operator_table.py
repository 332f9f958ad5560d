#!/usr/bin/env python3
"""Make operator_table.inc, the facts that are compiled in, from PyTorch's operator registry.

usage: make_operator_table.py operators.json > operator_table.inc

operators.json: `classes` (class -> overload packets and functions), `effectful_targets`, `side_effect_targets`,
`operators` (overload -> tags, mutable, returns, builtin, schema). One row an operator, sorted by name, so that the
program finds a row by binary search.
"""
import json, re, sys

CLASSES = {"fusible": "Fusible", "compute_intensive": "ComputeIntensive", "random": "Random", "view": "View",
           "recomputable": "Recomputable", "never_deduplicated_random": "NeverDeduplicated"}


def mutable_arguments(schema):
    """The names of the arguments that a schema marks as written: `Tensor(a!) self` or `Tensor(a!)[] out`."""
    arguments = schema[schema.index("(") + 1:schema.rindex(" -> ")]
    return re.findall(r"\([a-z0-9|]*![^)]*\)[^ ,]* (\w+)", arguments)


def main():
    with open(sys.argv[1]) as f:
        facts = json.load(f)
    print(f"// Made by make_operator_table.py from: {facts['source']}. Do not edit.")
    print("constexpr OverloadFacts kOverloads[] = {")
    for name, o in sorted(facts["operators"].items()):
        flags = [flag for flag, holds in (("kMutates", o["mutable"]),
                                          ("kSeededRandom", "nondeterministic_seeded" in o["tags"])) if holds]
        written = ",".join(mutable_arguments(o["schema"]))
        print(f'    {{"{name}", {" | ".join(flags) or "0"}, {o["returns"]}, "{written}"}},')
    print("};")
    classes = {}
    for name, members in facts["classes"].items():
        for packet in members:
            classes.setdefault(packet, []).append("Operator::" + CLASSES[name])
    print("constexpr PacketClasses kPackets[] = {")
    for packet, members in sorted(classes.items()):
        print(f'    {{"{packet}", {" | ".join(members)}}},')
    print("};")
    print("// Listed as side-effectful (torch.fx.node._side_effectful_functions) or registered with an effect.")
    print("constexpr std::string_view kSideEffects[] = {")
    for name in sorted(set(facts["effectful_targets"]) | set(facts["side_effect_targets"])):
        print(f'    "{name}",')
    print("};")


if __name__ == "__main__":
    main()
