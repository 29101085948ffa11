# A tool-info module: how BenchExec calls Hardbop and reads what it says. With `contrib` on PYTHONPATH and `hardbop` on
# PATH it is used as <benchmark tool="hardbop_benchexec.hardbop">; test_hardbop.py beside it shows a whole benchmark.

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task, ILP32, LP64


class Tool(benchexec.tools.template.BaseTool2):
    """Hardbop, a model checker for Boolean programs and C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("hardbop", subdir="bin")

    def name(self):
        return "Hardbop"

    def project_url(self):
        return ""

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hardbop")

    def cmdline(self, executable, options, task, rlimits):
        words = [executable, "check", "--format", "svcomp"]
        model = get_data_model_from_task(task, {ILP32: "ilp32", LP64: "lp64"})
        if model and "--data-model" not in options:
            words += ["--data-model", model]
        if task.property_file:
            words += ["--property", task.property_file]
        # Its own limit comes a little earlier, so that it can say what it knows.
        if rlimits.walltime and "--time-limit" not in options:
            words += ["--time-limit", f"{max(1, rlimits.walltime - 2)}s"]
        if rlimits.memory and "--memory-limit" not in options:
            words += ["--memory-limit", f"{rlimits.memory * 9 // 10}B"]
        return words + options + list(task.input_files_or_identifier)

    def determine_result(self, run):
        """The last line is the answer; the exit code must agree with it."""
        code = run.exit_code.value
        said = run.output[-1].strip() if run.output else ""
        if code == 0 and said == "true":
            return result.RESULT_TRUE_PROP
        if code == 10 and said.startswith("false("):
            return said
        if code == 5 and said.startswith("unknown("):
            reason = said[len("unknown(") : -1]
            if reason == "time":
                return "TIMEOUT"
            if reason == "memory":
                return "OUT OF MEMORY"
            return f"{result.RESULT_UNKNOWN} ({reason})" if reason else result.RESULT_UNKNOWN
        if run.was_timeout:
            return "TIMEOUT"
        words = {1: "usage", 2: "rejected", 3: "cannot read", 70: "internal error"}
        return f"{result.RESULT_ERROR} ({words.get(code, code)})"
