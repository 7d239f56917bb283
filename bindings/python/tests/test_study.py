"""Columns of few rows, measured as the study `columns` does: every engine's answers are compared by
the program that measures them.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HASHDYNO = os.environ.get("HASHDYNO", "")
ENGINES = ["arrow", "datafusion", "duckdb", "list", "pandas", "polars"]

pytestmark = pytest.mark.skipif(
    not Path(HASHDYNO).is_file(), reason="HASHDYNO names no program: cargo build -p hashdyno-cli"
)


def run(*arguments, path=""):
    """What the program says; `path` is where Python looks first."""
    paths = filter(None, [path, os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    return subprocess.run([HASHDYNO, *map(str, arguments)], capture_output=True, env=environment)


def measured(folder, providers, algorithm="blake3", path=""):
    """The report of a table of the study's kind, with 200 rows."""
    study = folder / "few.toml"
    text = (ROOT / "studies/columns.toml").read_text()
    table = TABLE.format(algorithm=algorithm, providers=json.dumps(providers))
    text = text[: text.index("# Ways end")] + table
    study.write_text(text.replace("1000000 rows", "200 rows"))
    few = ["--quick", "--no-record", "--json", "--bytes", "200 rows of 5-40"]
    ran = run("study", study, *few, path=path)
    assert ran.returncode in (0, 1), ran.stderr.decode()
    return json.loads(ran.stdout)


TABLE = """
[[table]]
id = "columns"
title = "Some sources"
algorithms = ["{algorithm}"]
column = ["1000000 rows of 5-40"]
unit = "nanoseconds"
providers = {providers}
"""


def test_every_engine_has_its_cells(tmp_path):
    own = ["datafusion", "duckdb", "polars"]
    providers = [f"{engine}/{'own' if engine in own else 'hashdyno'}-hex" for engine in ENGINES]
    report = measured(tmp_path, providers, "md5")
    assert not [cell["void"] for cell in report["cells"] if "void" in cell]
    assert {cell["provider"].partition("/")[0] for cell in report["cells"]} == set(ENGINES)
    assert {cell["size"] for cell in report["cells"]} == {"200 rows of 5-40"}


LIAR = """
import hashdyno

calls = 0

def blake3(message):
    global calls
    calls += 1
    return hashdyno.blake3(b"" if calls % 200 == 100 else message)
"""
"""In place of the package: row 100 is wrong."""


def test_a_wrong_row_is_no_figure(tmp_path):
    (tmp_path / "blake3.py").write_text(LIAR)
    report = measured(tmp_path, ["list/loop", "list/hashdyno"], path=tmp_path)
    true, lie = sorted(report["cells"], key=lambda cell: cell["source"])
    assert "estimate" in true and "estimate" not in lie
    assert "for message 100 of 200" in lie["void"]


def test_the_runner_keeps_to_the_protocol():
    checked = run("runner", "--check", "polars")
    assert checked.returncode == 0, checked.stdout.decode() + checked.stderr.decode()
    assert b"columns, twice each" in checked.stdout
