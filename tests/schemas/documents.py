"""JSON documents: read, damaged at one place, held against the schemas."""
import copy
import functools
import json

import jsonschema


def read(path):
    return json.loads(path.read_text())


def damaged(document, path, value):
    """A copy with another value at `path`, or, where that is None, without it."""
    copied = copy.deepcopy(document)
    place = copied
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copied


@functools.cache  # once a process
def load_validators(directory):
    validators = {}
    for name in ("baseline", "batch_manifest", "batch_result", "batch_summary", "check", "compression_errors", "config",
                 "device_profile", "diff",
                 "eager_policy", "explain", "jax_names", "joint_graph", "memory", "pareto", "pipeline", "policy", "policy_matches",
                 "report", "split", "verification"):
        path = (directory / f"{name}.schema.json").resolve()
        schema = read(path)
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver(base_uri=path.as_uri(), referrer=schema)
        validators[name] = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return validators


class Check:
    def __init__(self, validators):
        self.validators = validators
        self.validated = 0
        self.failures = []

    def holds(self, schema, document, what):
        self.validated += 1
        error = jsonschema.exceptions.best_match(self.validators[schema].iter_errors(document))
        if error:
            place = "/".join(map(str, error.absolute_path))
            self.failures.append(f"{what}: {schema}.schema.json does not hold at /{place}: {error.message[:300]}")

    def refuses(self, schema, document, what):
        self.validated += 1
        if self.validators[schema].is_valid(document):
            self.failures.append(f"{schema}.schema.json takes {what}")

    def that(self, holds, otherwise):
        if not holds:
            self.failures.append(otherwise)
