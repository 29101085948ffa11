# The files that only others can run, as far as they can be tried here: the steps of GitHub's action that are shell, with
# the environment GitHub gives them; the Dockerfile's instructions and what they copy. Called as test_contrib.py HARDBOP.

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
HARDBOP = os.path.abspath(sys.argv[1])
UNSAFE = "decl g;\nvoid main() begin\n  g := *;\n  assert(g);\nend\n"
SAFE = "void main() begin assert(T); end\n"


def step(action, name):
    return next(it for it in action["runs"]["steps"] if it["name"] == name)


def shell(script, folder, env):
    # As GitHub runs a step with `shell: bash`.
    words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    return subprocess.run(words, cwd=folder, env={**os.environ, **env}, capture_output=True, text=True)


def check(action, files, options, expected):
    """Runs the steps on a repository with these files; what they leave behind."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, text in files.items():
            (folder / name).write_text(text)
        tool = folder / "hardbop/target/release"
        tool.mkdir(parents=True)
        shutil.copy(HARDBOP, tool / "hardbop")
        inputs = {"files": " ".join(files), "options": options, "source": "hardbop"}
        fill = lambda text: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda it: inputs[it.group(1)], text)
        env = {name: fill(value) for name, value in step(action, "Check")["env"].items()}
        env |= {"GITHUB_ENV": str(folder / "env"), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
        done = shell(step(action, "Check")["run"], folder, env)
        assert done.returncode == 0, done.stderr
        kept = dict(line.split("=", 1) for line in (folder / "env").read_text().splitlines())
        verdict = shell(step(action, "Verdict")["run"], folder, kept)
        assert verdict.returncode == expected, (verdict.returncode, expected)
        for named in [step(action, "Show in code scanning")["with"]["sarif_file"], step(action, "Keep the page")["with"]["path"]]:
            assert (folder / named).stat().st_size > 0, named
        log = json.loads((folder / "hardbop.sarif").read_text())
        return done.stdout, log["runs"][0]["results"], (folder / "summary.md").read_text()


def action():
    action = yaml.safe_load((HERE / "github/action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    for it in action["runs"]["steps"]:
        assert ("uses" in it) != ("run" in it and "shell" in it), it
    said, results, summary = check(action, {"a.bp": UNSAFE, "b.bp": SAFE}, "--time-limit 1m", 10)
    assert len(results) == 1 and "a.bp" in summary and "::error file=a.bp,line=4" in said, said
    _, results, _ = check(action, {"b.bp": SAFE}, "--time-limit 1m", 0)
    assert results == []
    build = step(action, "Build")["run"].split()
    assert build[:2] == ["cargo", "build"] and "--locked" in build
    print("the action's steps: annotations, SARIF, summary, page and exit code")


def dockerfile():
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT"}
    lines = [it for it in (HERE / "Dockerfile").read_text().splitlines() if it and not it.startswith("#")]
    words = [it.split() for it in lines]
    assert all(it[0] in known for it in words), lines
    stages = {it[3]: it[1] for it in words if it[0] == "FROM" and len(it) == 4}
    for it in (it for it in words if it[0] == "COPY"):
        source = it[1]
        if source.startswith("--from="):
            assert source.removeprefix("--from=") in stages, it
            assert it[2] == "/source/target/release/hardbop"
    assert json.loads(lines[-1].removeprefix("ENTRYPOINT ")) == ["hardbop"]
    release = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    if release and release.group(1) == "bookworm" and shutil.which("apt-cache"):
        packages = re.search(r"--no-install-recommends ([a-z0-9 -]+) &&", "\n".join(lines)).group(1).split()
        for package in packages:
            assert subprocess.run(["apt-cache", "show", package], capture_output=True).returncode == 0, package
    print("the Dockerfile's instructions; it was not built")


action()
dockerfile()
