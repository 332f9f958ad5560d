#!/usr/bin/env python3
"""Make alias_table.inc, which operators return memory of an argument, from the registries of PyTorch's releases.

usage: make_alias_table.py operators-2.4.json ... operators-2.15.json > alias_table.inc   (the newest last, whose schemas count)

By the schema: `view(Tensor(a) self, ...) -> Tensor(a)` returns its argument `self`, at position 0. One row an operator
that returns one value, or one list of views; sorted by name.
"""
import json, re, sys


def aliased_argument(schema):
    """Position and name of the argument whose memory the result is in; None where it is in no argument's."""
    arguments, _, returned = schema.partition("(")[2].rpartition(") -> ")
    returned = re.match(r"Tensor\??\((\w+)!?\)", returned)
    if not returned:
        return None
    named = [argument.strip() for argument in arguments.split(", ") if argument.strip() != "*"]
    for position, argument in enumerate(named):
        aliases = re.match(r"Tensor\??\((\w+)[^)]*\)\S* (\w+)", argument)
        if aliases and aliases[1] == returned[1]:
            return position, aliases[2]
    return None


def main():
    rows = {}
    for path in sys.argv[1:]:
        with open(path) as file:
            for name, facts in json.load(file)["operators"].items():
                aliased = aliased_argument(facts["schema"])
                if aliased:
                    rows[name] = aliased
    print("// Made by make_alias_table.py from the operator registries of PyTorch's releases. Do not edit.")
    print("constexpr AliasRow kAliases[] = {")
    for name, (position, argument) in sorted(rows.items()):
        print(f'    {{"{name}", {position}, "{argument}"}},')
    print("};")


if __name__ == "__main__":
    main()
