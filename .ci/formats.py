# Validates what the command prints against the schemas: formats.py HARDBOP SARIF-SCHEMA. It needs jsonschema, lxml and
# junitparser.

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema
import junitparser
from lxml import etree

ROOT = Path(__file__).resolve().parent.parent
HARDBOP = os.path.abspath(sys.argv[1])
SCHEMA = json.loads((ROOT / "docs/formats/result.schema.json").read_text())
SARIF = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8-sig"))
JUNIT = etree.XMLSchema(etree.parse(ROOT / "docs/formats/junit.xsd"))

EVIL = "decl <x>; void main() begin assert(</script>); end"
LEAK = "void *malloc(unsigned long); int main(void) { int *p = malloc(4); p = 0; return 0; }"

LOCK = """int __VERIFIER_nondet_int(void); void reach_error(void) {}
int main(void) { int locked = 0, got = 0, old;
  do { if (locked) reach_error(); locked = 1; old = got; if (__VERIFIER_nondet_int()) { locked = 0; got++; } } while (got != old);
  return 0; }"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in {"evil & <b>.bp": EVIL, "leak.c": LEAK, "lock.c": LOCK}.items():
            (Path(folder) / name).write_text(text)
            files.append([str(Path(folder) / name)])
        bluetooth = Path(folder) / "bluetooth.bp"
        bluetooth.write_text(run("gen", "bluetooth"))
        files += [["--initial-threads", "3", "--threads", "3", str(bluetooth)]]
        files += [[str(ROOT / "examples" / it)] for it in ("lock.bp", "lock-bug.bp", "ppp-rta.c", "lock.tts")]
        files += [["--all", str(ROOT / "examples/lock-bug.bp")], ["--explain", str(ROOT / "examples/lock.bp")]]
        files += [["--engine", "cegar", "--explain", "--property", "unreach-call", str(Path(folder) / "lock.c")]]
        files += [["--cube", "1/2", str(ROOT / "examples/lock-bug.bp")]]
        files += [[str(Path(folder) / "not-there.bp")], ["--time-limit", "1ms", str(bluetooth)]]
        for words in files:
            check(words)
    print(f"{len(files)} results in json, sarif and junit are as their schemas say")


def run(*words):
    return subprocess.run([HARDBOP, *words], capture_output=True, text=True).stdout


def check(words):
    if "--time-limit" not in words:
        words = ["--time-limit", "5s", *words]
    for line in run("check", "--format", "json", *words).splitlines():
        jsonschema.validate(json.loads(line), SCHEMA)
    log = json.loads(run("check", "--format", "sarif", *words))
    jsonschema.validate(log, SARIF)
    text = run("check", "--format", "junit", *words)
    JUNIT.assertValid(etree.fromstring(text.encode()))
    cases = sum(suite.tests for suite in junitparser.JUnitXml.fromstring(text.encode()))
    assert cases > 0, words


main()
