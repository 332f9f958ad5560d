#!/usr/bin/env python3
"""usage: action_as_workflow.py ACTION.yml

Prints a workflow with the steps of a composite action, whose inputs and outputs become the workflow's: actionlint looks at the
steps of workflows only.
"""
import pathlib, sys

import yaml

action = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text())
inputs = {name: {"type": "string", "description": about["description"]} for name, about in action["inputs"].items()}
outputs = {name: about["value"] for name, about in action["outputs"].items()}
job = {"runs-on": "ubuntu-24.04", "outputs": outputs, "steps": action["runs"]["steps"]}
print(yaml.safe_dump({"name": action["name"], "on": {"workflow_call": {"inputs": inputs}}, "jobs": {"steps": job}}, sort_keys=False))
