"""What a command prints arrives whatever the output is, and what cannot be used is told in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

START = "import sys; sys.argv[0] = 'evals'; from evals.cli import main; main()"


def evals_process(folder, *arguments, **how):
    environment = {**os.environ, **how.pop("environment", {})}
    command = [sys.executable, "-c", START, *map(os.fsencode, arguments)]
    how = {"stdout": subprocess.PIPE, **how}
    return subprocess.run(command, cwd=folder, env=environment, stderr=subprocess.PIPE, **how)


RUN = ("run", "--graph", "basic", "--limit", "1", "--conditions", "given")


def test_an_encoding_that_lacks_a_sign_loses_no_table(tmp_path):
    ended = evals_process(tmp_path, *RUN, environment={"PYTHONIOENCODING": "ascii"})
    assert (ended.returncode, b"?0.1" in ended.stdout) == (0, True), ended.stderr


def test_a_full_device_is_said_in_one_line(tmp_path):
    with Path("/dev/full").open("w") as full:
        ended = evals_process(tmp_path, "list", "graphs", "--format", "json", stdout=full)
    assert ended.returncode == 2
    assert (
        ended.stderr.decode() == "error: 'output': cannot be written, no space is left; free some, or write elsewhere\n"
    )


def test_a_run_without_standard_output_is_stored(tmp_path):
    ended = evals_process(tmp_path, *RUN, "--out", "run", stdout=None, preexec_fn=lambda: os.close(1))
    assert (ended.returncode, b"Traceback" in ended.stderr) == (0, False), ended.stderr
    assert b"standard output is closed" in ended.stderr
    assert (tmp_path / "run" / "run.sqlite").is_file()


LONG = "x" * 300


@pytest.mark.parametrize(
    "arguments",
    [
        [*RUN, "--out", LONG],
        [*RUN, "--data", LONG],
        [*RUN, "--prompts", LONG],
        ["run", "--graph", f"{LONG}.py:graph"],
        ["data", "check", LONG],
        ["score", LONG],
        ["show", LONG],
    ],
)
def test_a_name_that_is_too_long_is_said_in_one_line(arguments, command):
    ended = command(*arguments)
    assert (ended.code, ended.out) == (2, "")
    (line,) = ended.said
    assert line.startswith("error: ")
    assert "xxxx" in line


def test_a_name_that_is_no_utf_8_ends_without_a_traceback(tmp_path):
    ended = evals_process(tmp_path, "run", "--graph", "bas\udcff")
    assert (ended.returncode, b"Traceback" in ended.stderr) == (2, False), ended.stderr


def test_the_version_is_said(command):
    ended = command("--version")
    assert ended.code == 0
    assert ended.out.startswith("situate ")
