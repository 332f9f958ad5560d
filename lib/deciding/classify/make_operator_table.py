#!/usr/bin/env python3
"""Make operator_table.inc, the facts that are compiled in, from the operator registries of PyTorch's releases.

usage: make_operator_table.py 2.13=operators.json 2.14=operators-2.14.json ... > operator_table.inc

Each registry, as dump_operators.py writes it: `classes` (class -> overload packets and functions), `effectful_targets`,
`side_effect_targets`, `operators` (overload -> tags, mutable, returns, builtin, schema). Rows are sorted by name, so that the
program finds them by binary search. An operator has one row for each interval of releases, of those given, in which its facts are
the same; a fact of the newest release holds for those after it, and one of the oldest for those before.
"""
import json, re, sys

CLASSES = {"fusible": "Fusible", "compute_intensive": "ComputeIntensive", "random": "Random", "view": "View",
           "recomputable": "Recomputable", "never_deduplicated_random": "NeverDeduplicated"}


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
    """[(name, row, interval)]: an interval for each run of releases in which the row is the same, by name and age."""
    rows = [rows_of(facts) for facts in releases.values()]
    minors = [int(release.split(".")[1]) for release in releases]
    merged = []
    for name in sorted(set().union(*rows)):
        having = [of_release.get(name) for of_release in rows]
        begin = 0
        for end in range(1, len(having) + 1):
            if end < len(having) and having[end] == having[begin]:
                continue
            if having[begin] is not None:
                merged.append((name, having[begin], interval(minors, begin, end)))
            begin = end
    return merged


def interval(minors, begin, end):
    """The releases from the `begin`-th to before the `end`-th, as a C++ expression."""
    since = f"Release{{{minors[begin]}}}" if begin > 0 else "Release{0}"
    until = f", Release{{{minors[end]}}}" if end < len(minors) else ""
    return f"{{{since}{until}}}" if begin > 0 or until else "kAll"


def classes_by_packet(facts):
    classes = {}
    for name, members in facts["classes"].items():
        for packet in members:
            classes.setdefault(packet, []).append("Operator::" + CLASSES[name])
    return {packet: " | ".join(members) for packet, members in classes.items()}


def main():
    given = dict(argument.split("=", 1) for argument in sys.argv[1:])
    releases = {}
    for release in sorted(given, key=lambda release: int(release.split(".")[1])):
        with open(given[release]) as f:
            releases[release] = json.load(f)
    sources = ", ".join(facts["source"].replace(" operator registry", "") for facts in releases.values())
    print(f"// Made by make_operator_table.py from the operator registries of {sources}. Do not edit.")
    print("constexpr OverloadFacts kOverloads[] = {")
    for name, (flags, returns, written), having in merge(
            releases, lambda facts: {n: overload_row(n, o) for n, o in facts["operators"].items()}):
        print(f'    {{"{name}", {having}, {" | ".join(flags) or "0"}, {returns}, "{written}"}},')
    print("};")
    print("// Where an operator's schema has dropout_p, in the newest release that has the operator.")
    print("constexpr DropoutRow kDropouts[] = {")
    dropouts = {}
    for facts in releases.values():
        dropouts |= {name: row for name, o in facts["operators"].items() if (row := dropout_row(o["schema"]))}
    for name, row in sorted(dropouts.items()):
        print(f'    {{"{name}", {row[0]}, {row[1]}}},')
    print("};")
    print("constexpr PacketClasses kPackets[] = {")
    for packet, members, having in merge(releases, classes_by_packet):
        print(f'    {{"{packet}", {having}, {members}}},')
    print("};")
    print("// Listed as side-effectful (torch.fx.node._side_effectful_functions) or registered with an effect.")
    print("constexpr SideEffectRow kSideEffects[] = {")
    for name, _, having in merge(
            releases, lambda facts: {n: () for n in facts["effectful_targets"] + facts["side_effect_targets"]}):
        print(f'    {{"{name}", {having}}},')
    print("};")


if __name__ == "__main__":
    main()
