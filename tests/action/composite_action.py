"""Runs a composite GitHub action as GitHub would, one step after the other in a shell, on this machine.

Only those expressions between ${{ and }} are supported that the action uses: a path into `inputs`, `github` or `steps`, one
or the other (||), and whether it equals a text. Where a step uses another action, a function of the caller's plays that.
"""
import dataclasses, os, pathlib, re, subprocess, tempfile
from collections.abc import Callable

import yaml

Texts = dict[str, str]


@dataclasses.dataclass
class Job:
    """The result of a run: whether all steps passed, which ran, what they printed, the job's summary, the outputs."""

    passed: bool = True
    steps: list[str] = dataclasses.field(default_factory=list)
    printed: str = ""
    summary: str = ""
    outputs: Texts = dataclasses.field(default_factory=dict)

    def annotations(self, kind: str) -> list[str]:
        return [line for line in self.printed.splitlines() if line.startswith(f"::{kind} ")]


class CompositeAction:
    """An action.yml; `uses` has a function for each action that its steps use, without the version, which takes `with`."""

    def __init__(self, file: pathlib.Path, uses: dict[str, Callable[[Texts], None]]) -> None:
        self._folder = file.parent
        self._action = yaml.load(file.read_text(), yaml.BaseLoader)  # which leaves all scalars as they are written
        self._uses = uses

    def run(self, workspace: pathlib.Path, inputs: Texts, github: Texts, environment: Texts) -> Job:
        """Runs it in `workspace`. github: `event_name`, `ref` and so on, as expressions have them."""
        context = {f"github.{key}": value for key, value in github.items()}
        context |= {f"inputs.{key}": value for key, value in self._inputs(inputs, context).items()}
        job = Job()
        with tempfile.TemporaryDirectory() as temporary:
            runner = pathlib.Path(temporary)
            for number, step in enumerate(self._action["runs"]["steps"]):
                if evaluate(step.get("if", "true"), context) in ("", "false"):
                    continue
                job.steps.append(step["name"])
                files = {name: runner / f"{name}_{number}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
                own = {"RUNNER_TEMP": temporary, "GITHUB_ACTION_PATH": str(self._folder)} | environment
                job.passed = self._run_step(step, context, workspace, own, files, job)
                if not job.passed:
                    break
            for name, output in self._action["outputs"].items():
                job.outputs[name] = substitute(output["value"], context)
        return job

    def _inputs(self, given: Texts, context: Texts) -> Texts:
        declared = self._action["inputs"]
        if unknown := given.keys() - declared.keys():
            raise KeyError(f"the action has no input {unknown}")
        required = {name for name, about in declared.items() if about.get("required") == "true"}
        if missing := required - given.keys():
            raise KeyError(f"the action needs the input {missing}")
        return {name: substitute(about.get("default", ""), context) for name, about in declared.items()} | given

    def _run_step(
        self, step: dict, context: Texts, workspace: pathlib.Path, own: Texts, files: dict[str, pathlib.Path], job: Job
    ) -> bool:
        if "uses" in step:
            self._uses[step["uses"].split("@")[0]]({k: substitute(v, context) for k, v in step["with"].items()})
            return True
        for file in files.values():
            file.touch()
        if step["shell"] != "bash" or "${{" in step["run"]:
            raise ValueError(f"{step['name']}: a bash script into which nothing is substituted is expected")
        given = {key: substitute(value, context) for key, value in step.get("env", {}).items()}
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=workspace,
            env=dict(os.environ) | own | {key: str(file) for key, file in files.items()} | given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        job.printed += run.stdout
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            key, _, value = line.partition("=")
            context[f"steps.{step['id']}.outputs.{key}"] = value
        return run.returncode == 0


def substitute(text: str, context: Texts) -> str:
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: evaluate(match[1], context), text)


def evaluate(expression: str, context: Texts) -> str:
    """A path that leads nowhere is empty, as on GitHub; actionlint checks that such inputs and steps exist."""
    for alternative in expression.split("||"):
        left, _, right = (part.strip() for part in alternative.partition("=="))
        value = left if left in ("true", "false") else context.get(_path(left), "")
        if right:
            value = "true" if value == re.fullmatch("'(.*)'", right)[1] else "false"
        if value:
            return value
    return ""


def _path(text: str) -> str:
    if not re.fullmatch(r"(inputs|github|steps)(\.[\w-]+)+", text):
        raise ValueError(f"an expression that is not known here: {text}")
    return text
