"""The programs of examples/, run as users run them."""

import csv
import hashlib
import hmac
import os
import subprocess
import sys
from pathlib import Path

import polars as pl

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name, *arguments, **environment):
    command = [sys.executable, EXAMPLES / name, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}
    )


def test_rows_are_there_once(tmp_path):
    rows = [
        (number % 70, f"text {number % 10}", None if number % 7 else 1.5) for number in range(1000)
    ]
    frame = pl.DataFrame(rows, schema=["number", "text", "maybe"], orient="row")
    frame.write_parquet(tmp_path / "in")
    ran = run("deduplicate.py", tmp_path / "in", tmp_path / "out")
    assert (ran.stdout, ran.returncode) == ("1000 rows, 930 of them copies\n", 0), ran.stderr
    assert pl.read_parquet(tmp_path / "out").rows() == list(dict.fromkeys(rows))


def test_rows_that_json_cannot_tell_apart(tmp_path):
    # The file that is read may be the one to write.
    frame = pl.DataFrame({"number": [float("nan"), None, float("inf"), -float("inf")]})
    frame.write_parquet(tmp_path / "in")
    ran = run("deduplicate.py", tmp_path / "in", tmp_path / "in")
    assert (ran.stdout, ran.returncode) == ("4 rows, 0 of them copies\n", 0), ran.stderr
    frame = pl.DataFrame({"bytes": [b"\xff", None, b"\xfe", b"\xff"]})
    frame.write_parquet(tmp_path / "in")
    ran = run("deduplicate.py", tmp_path / "in", tmp_path / "in")
    assert (ran.stdout, ran.returncode) == ("4 rows, 1 of them copies\n", 0), ran.stderr
    assert pl.read_parquet(tmp_path / "in")["bytes"].to_list() == [b"\xff", None, b"\xfe"]
    for nested in ([[1.5]], [{"a": b"x"}]):
        pl.DataFrame({"column": nested}).write_parquet(tmp_path / "in")
        ran = run("deduplicate.py", tmp_path / "in", tmp_path / "out")
        assert ran.returncode == 1 and "column 'column': expected no floats" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_pseudonyms_are_hmac(tmp_path):
    (tmp_path / "in").write_text("id,name\n1,Ada\n02,Grace\n3,Ada\n4,\n")
    key = tmp_path / "key"
    key.write_bytes(b"sixteen bytes ..")
    ran = run("pseudonymise.py", tmp_path / "in", tmp_path / "out", "name", key)
    assert ran.returncode == 0, ran.stderr
    rows = list(csv.DictReader((tmp_path / "out").open()))
    known = [hmac.digest(key.read_bytes(), it, "sha256").hex() for it in (b"Ada", b"Grace", b"Ada")]
    assert [row["name"] for row in rows] == [*known, ""]
    assert [row["id"] for row in rows] == ["1", "02", "3", "4"]
    key.write_bytes(b"short")
    ran = run("pseudonymise.py", tmp_path / "in", tmp_path / "none", "name", key)
    assert ran.returncode == 1 and "expected 16 at least" in ran.stderr
    assert not (tmp_path / "none").exists()


def test_a_bucket_is_held_against_a_list(tmp_path, s3):
    import fsspec

    store = fsspec.filesystem("s3", **s3)
    store.mkdir("examples")
    objects = {f"data/{number}": bytes([number]) * 1000 for number in range(20)}
    store.pipe({f"examples/{name}": data for name, data in objects.items()})
    listed = tmp_path / "list"
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}" for name, data in objects.items()]
    listed.write_text("\n".join(lines) + "\n")
    reach = {
        "AWS_ACCESS_KEY_ID": "k",
        "AWS_SECRET_ACCESS_KEY": "s",
        "AWS_ENDPOINT_URL": s3["endpoint_url"],
    }
    ran = run("verify_bucket.py", "s3://examples", listed, **reach)
    assert (ran.stdout.splitlines(), ran.returncode) == (["20 objects are as listed"], 0), (
        ran.stderr
    )
    store.pipe("examples/data/7", b"other")
    store.rm("examples/data/8")
    store.pipe("examples/new", b"")
    ran = run("verify_bucket.py", "s3://examples", listed, **reach)
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "changed: data/7", "missing: data/8", "not in the list: new", "18 objects are as listed"
    ]  # fmt: skip
