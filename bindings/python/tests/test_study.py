"""The study `columns` with few rows: every engine's answers are compared by the program that measures them."""

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


def measured(folder, *arguments, providers=None, path=""):
    """The report of the study with 200 rows in place of a million. Its claims need not hold."""
    study = folder / "few.toml"
    text = (ROOT / "studies/columns.toml").read_text()
    if providers:
        text = text[: text.index("# Ways end")] + TABLE.format(providers=json.dumps(providers))
    study.write_text(text.replace("1000000 rows", "200 rows"))
    few = ["--quick", "--no-record", "--json", "--bytes", "200 rows of 5-40"]
    ran = run("study", study, *few, *arguments, path=path)
    assert ran.returncode in (0, 1), ran.stderr.decode()
    return json.loads(ran.stdout)


TABLE = """
[[table]]
id = "columns"
title = "Some sources"
algorithms = ["blake3"]
column = ["1000000 rows of 5-40"]
unit = "nanoseconds"
providers = {providers}
"""


def test_every_engine_has_its_cells(tmp_path):
    algorithms = ["md5", "xxh3"]  # one that all engines have, and one that becomes integers
    only = [word for name in algorithms for word in ("--only", name)]
    report = measured(tmp_path, *only)
    assert not [cell["void"] for cell in report["cells"] if "void" in cell]
    found = {(cell["provider"].partition("/")[0], cell["algorithm"]) for cell in report["cells"]}
    assert found == {(engine, name) for engine in ENGINES for name in algorithms}
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
    report = measured(tmp_path, providers=["list/loop", "list/hashdyno"], path=tmp_path)
    true, lie = sorted(report["cells"], key=lambda cell: cell["source"])
    assert "estimate" in true and "estimate" not in lie
    assert "for message 100 of 200" in lie["void"]


def test_the_runner_keeps_to_the_protocol():
    checked = run("runner", "--check", "polars")
    assert checked.returncode == 0, checked.stdout.decode() + checked.stderr.decode()
    assert b"columns, twice each" in checked.stdout
