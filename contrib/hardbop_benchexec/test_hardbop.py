# BenchExec itself runs the tool-info module on sample tasks: python3 test_hardbop.py PATH-TO-HARDBOP
# It needs the Python package benchexec; runs go without containers and limits, so that no cgroups are needed.

import os
import subprocess
import sys
import tempfile
from pathlib import Path

CONTRIB = Path(__file__).resolve().parent.parent
PROPERTIES = {
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "valid-memsafety": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
    "CHECK( init(main()), LTL(G valid-memtrack) )\n",
    "no-overflow": "CHECK( init(main()), LTL(G ! overflow) )\n",
}
HEAD = (
    "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
    "void *malloc(unsigned long); void free(void *);\n"
)
# Name, property, expected verdict, violated part of the property, program.
TASKS = [
    ("reach", "unreach-call", "false", None, "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }"),
    ("fine", "unreach-call", "true", None, "int main(void) { int x = 1; if (x == 7) reach_error(); return 0; }"),
    ("freed", "valid-memsafety", "false", "valid-deref", "int main(void) { int *p = malloc(4); free(p); return *p; }"),
    ("leak", "valid-memsafety", "false", "valid-memtrack", "int main(void) { int *p = malloc(4); p = 0; return 0; }"),
    ("sum", "no-overflow", "false", None, "int main(void) { return __VERIFIER_nondet_int() + 1; }"),
]


def main():
    executable = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder)
        told = benchexec(folder, executable)
        for name, prop, expected, part, _ in TASKS:
            answer = "true" if expected == "true" else f"false({part or prop})"
            line = next((it for it in told.splitlines() if f"{name}.yml" in it), "")
            assert f" {answer} " in line, f"{name}: expected {answer}\n{told}"
            # The task definition itself as input gives the same.
            words = [executable, "check", "--format", "svcomp", folder / f"{name}.yml"]
            alone = subprocess.run(words, capture_output=True, text=True)
            assert alone.stdout.strip() == answer, f"{name}.yml: {alone.stdout}{alone.stderr}"
    print(f"BenchExec: {len(TASKS)} tasks as expected")


def write(folder):
    for name, text in PROPERTIES.items():
        (folder / f"{name}.prp").write_text(text)
        tasks = [task[0] for task in TASKS if task[1] == name]
        (folder / f"{name}.set").write_text("".join(f"{task}.yml\n" for task in tasks))
    for name, prop, expected, part, text in TASKS:
        (folder / f"{name}.c").write_text(HEAD + text)
        extra = f"    subproperty: {part}\n" if part else ""
        (folder / f"{name}.yml").write_text(
            f"format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: {prop}.prp\n"
            f"    expected_verdict: {expected}\n{extra}options:\n  language: C\n  data_model: LP64\n"
        )
    sets = "".join(
        f'<tasks name="{name}"><includesfile>{name}.set</includesfile><propertyfile>{name}.prp</propertyfile></tasks>'
        for name in PROPERTIES
    )
    (folder / "sample.xml").write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" '
        '"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">\n'
        f'<benchmark tool="hardbop_benchexec.hardbop"><rundefinition name="all">{sets}</rundefinition></benchmark>\n'
    )


def benchexec(folder, executable):
    environment = dict(os.environ)
    environment["PATH"] = f"{executable.parent}:{environment['PATH']}"
    environment["PYTHONPATH"] = str(CONTRIB)
    words = [sys.executable, "-m", "benchexec.benchexec", "--no-container", "sample.xml"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


main()
