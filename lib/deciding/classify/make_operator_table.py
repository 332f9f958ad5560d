#!/usr/bin/env python3
"""Make operator_table.inc, the facts that are compiled in, from the operator registries of PyTorch's releases.

usage: make_operator_table.py 2.13=operators.json 2.15=operators-2.15.json > operator_table.inc

Each registry: `classes` (class -> overload packets and functions), `effectful_targets`, `side_effect_targets`,
`operators` (overload -> tags, mutable, returns, builtin, schema). One row an operator, sorted by name, so that the
program finds a row by binary search. A row that only one release has is marked; where releases disagree on an operator
that both have, this stops: the table would need a row for each.
"""
import json, re, sys

CLASSES = {"fusible": "Fusible", "compute_intensive": "ComputeIntensive", "random": "Random", "view": "View",
           "recomputable": "Recomputable", "never_deduplicated_random": "NeverDeduplicated"}


# Operators with dropout_p that the registries leave out, by their schemas in PyTorch 2.15.0: position and default.
UNLISTED_DROPOUTS = {"aten._cudnn_attention_backward.default": (13, "kNoDefault"),
                     "aten._cudnn_attention_forward.default": (9, "0.0"),
                     "aten._fused_sdp_choice.default": (4, "0.0"),
                     "aten._triton_scaled_dot_attention.default": (3, "0.0"),
                     "aten._triton_scaled_dot_attention.out": (3, "0.0")}


def arguments_of(schema):
    return schema[schema.index("(") + 1:schema.rindex(" -> ")]


def mutable_arguments(schema):
    """The names of the arguments that a schema marks as written: `Tensor(a!) self` or `Tensor(a!)[] out`."""
    return re.findall(r"\([a-z0-9|]*![^)]*\)[^ ,]* (\w+)", arguments_of(schema))


def overload_row(name, facts):
    flags = [flag for flag, holds in (("kMutates", facts["mutable"]),
                                      ("kSeededRandom", "nondeterministic_seeded" in facts["tags"])) if holds]
    return flags, facts["returns"], ",".join(mutable_arguments(facts["schema"]))


def dropout_row(schema):
    """Where the schema has dropout_p, and its default as a C++ expression; None where it has none."""
    names = [argument.strip() for argument in arguments_of(schema)[:-1].split(",") if argument.strip() != "*"]
    for position, argument in enumerate(names):
        found = re.fullmatch(r"float dropout_p(?:=(.+))?", argument)
        if found:
            return position, f"{float(found[1])}" if found[1] else "kNoDefault"
    return None


def merge(releases, rows_of):
    """name -> (row, the releases that have it)."""
    merged = {}
    for release, facts in releases.items():
        for name, row in rows_of(facts).items():
            known, having = merged.setdefault(name, (row, []))
            if known != row:
                sys.exit(f"{name} differs: {known} in {having}, {row} in {release}")
            having.append(release)
    return sorted(merged.items())


def only_in(having, releases):
    """The mark of a row that not every release has."""
    if len(having) == len(releases):
        return []
    oldest = next(iter(releases))
    return [("kUntil" if release == oldest else "kSince") + release.replace(".", "_") for release in having]


def classes_by_packet(facts):
    classes = {}
    for name, members in facts["classes"].items():
        for packet in members:
            classes.setdefault(packet, []).append("Operator::" + CLASSES[name])
    return {packet: " | ".join(members) for packet, members in classes.items()}


def main():
    releases = {}
    for argument in sys.argv[1:]:
        release, path = argument.split("=", 1)
        with open(path) as f:
            releases[release] = json.load(f)
    sources = ", ".join(facts["source"] for facts in releases.values())
    print(f"// Made by make_operator_table.py from: {sources}. Do not edit.")
    print("constexpr OverloadFacts kOverloads[] = {")
    overloads = merge(releases, lambda facts: {n: overload_row(n, o) for n, o in facts["operators"].items()})
    for name, ((flags, returns, written), having) in overloads:
        print(f'    {{"{name}", {" | ".join(flags + only_in(having, releases)) or "0"}, {returns}, "{written}"}},')
    print("};")
    print("// Where an operator's schema has dropout_p.")
    print("constexpr DropoutRow kDropouts[] = {")
    listed = merge(releases, lambda facts: {n: dropout_row(o["schema"]) for n, o in facts["operators"].items()})
    dropouts = {name: row for name, (row, _) in listed if row} | UNLISTED_DROPOUTS
    for name, row in sorted(dropouts.items()):
        print(f'    {{"{name}", {row[0]}, {row[1]}}},')
    print("};")
    print("constexpr PacketClasses kPackets[] = {")
    for packet, (members, having) in merge(releases, classes_by_packet):
        if only_in(having, releases):
            sys.exit(f"{packet} is in a class in {having} only")
        print(f'    {{"{packet}", {members}}},')
    print("};")
    print("// Listed as side-effectful (torch.fx.node._side_effectful_functions) or registered with an effect.")
    print("constexpr SideEffectRow kSideEffects[] = {")
    effects = merge(releases, lambda facts: {n: () for n in facts["effectful_targets"] + facts["side_effect_targets"]})
    for name, (_, having) in effects:
        print(f'    {{"{name}", {" | ".join(only_in(having, releases)) or "0"}}},')
    print("};")


if __name__ == "__main__":
    main()
