#!/usr/bin/env python3
"""Times `hashdyno sum` beside the programs that people use, on many small files, on files as long
as photographs and on one large file, all in page cache.

    sum.py FOLDER PROGRAM [--rounds N] [--only WORD] [--record FILE.json]
    sum.py --table FILE.json

FOLDER takes the data, 2.5 GiB, made anew only where it is missing; PROGRAM is a release build of
hashdyno. Every program's digests are held against those of hashdyno before anything is timed. In
each round every program runs once, so that a disturbance meets all of them. The table has medians;
"ratio" is the median over the rounds of that program's time to hashdyno's in the same round, with
the lowest and the highest. FILE.json takes the machine, the versions, and each case with every
time; --table prints it as Markdown. No test: times are for eyes.
"""

import argparse
import datetime
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

SMALL_FILES, SMALL_SIZES, LARGE_SIZE = 20_000, (4 << 10, 64 << 10), 1 << 30
# As in the study sha3-finalists: a month of photographs.
PHOTOS, PHOTO_SIZES = 154, (4_000_000, 6_000_000)

FIVE = "md5,sha1,sha256,sha512,crc32b"
HEX_DIGITS = {"md5": 32, "sha1": 40, "sha256": 64, "sha512": 128, "blake2b": 128, "blake3": 64}
HEX_DIGITS |= {"xxh64": 16, "xxh128": 32, "crc32b": 8}

# What is computed, and who else computes it.
RIVALS = {
    "md5": ["md5sum", "rhash --md5", "hashdeep -c md5"],
    "sha1": ["sha1sum", "rhash --sha1", "hashdeep -c sha1"],
    "sha256": ["sha256sum", "rhash --sha256", "hashdeep -c sha256"],
    "sha512": ["sha512sum", "rhash --sha512"],
    "blake2b": ["b2sum", "rhash --blake2b"],
    "blake3": ["b3sum"],
    "xxh64": ["xxhsum -H64"],
    "xxh128": ["xxhsum -H128"],
    "crc32b": ["rhash --simple --crc32"],
    FIVE: ["rhash --md5 --sha1 --sha256 --sha512 --crc32"],
}


def main():
    options = parsed()
    if options.table:
        return table(json.loads(options.table.read_text())["cases"])
    files = {
        "small": many_files(options.folder / "small", SMALL_FILES, SMALL_SIZES, 1),
        "photos": many_files(options.folder / "photos", PHOTOS, PHOTO_SIZES, 3),
        "large": [large_file(options.folder)],
    }
    cases = [
        case
        for case in all_cases(options.program, files)
        if options.only in " ".join((case["data"], case["digests"]))
    ]
    for case in cases:
        verify(case)
    for turn in range(options.rounds):
        for case in cases:
            for program in case["programs"]:
                program["wall_s"], program["cpu_s"] = (
                    program[key] + [value]
                    for key, value in zip(
                        ("wall_s", "cpu_s"), timed(program["command"], case["files"])
                    )
                )
        print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)
    show(cases)
    if options.record:
        record(options, cases)


def parsed():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("program", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument(
        "--only",
        default="",
        metavar="WORD",
        help="only cases with this word: small, photos, large, or a digest",
    )
    parser.add_argument("--record", type=Path, metavar="FILE.json")
    parser.add_argument(
        "--table", type=Path, metavar="FILE.json", help="print this record and measure nothing"
    )
    options = parser.parse_args()
    if options.table:
        return options
    if options.program is None:
        parser.error("expected FOLDER and PROGRAM")
    options.program = options.program.resolve()
    return options


def many_files(root, count, sizes, seed):
    """Files of lengths spread evenly over `sizes`, a hundred to a folder; made whole or not at
    all.
    """
    names = [root / f"{number // 100:03}" / f"file-{number % 100:02}" for number in range(count)]
    if not root.exists():
        print(f"making {count} files in {root}", file=sys.stderr)
        source, new = random.Random(seed), root.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        for name in names:
            path = new / name.relative_to(root)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.randbytes(source.randint(*sizes)))
        new.rename(root)
    return [str(name) for name in names]


def large_file(folder):
    path = folder / "large"
    if not path.exists():
        print(f"making {path}", file=sys.stderr)
        source, new = random.Random(2), folder / "large.new"
        with new.open("wb") as file:
            for _ in range(LARGE_SIZE >> 20):
                file.write(source.randbytes(1 << 20))
        new.rename(path)
    return str(path)


def all_cases(program, files):
    for data, names in files.items():
        for digests, rivals in RIVALS.items():
            ours = [str(program), "sum", "-a", digests]
            commands = [ours] + [rival.split() for rival in rivals] + [["cat"]]
            yield {
                "data": data,
                "digests": digests,
                "files": names,
                "bytes": sum(os.path.getsize(name) for name in names),
                "programs": [
                    {"command": command, "wall_s": [], "cpu_s": []}
                    for command in commands
                    if shutil.which(command[0])
                ],
            }


def verify(case):
    """Every program gives the same digests, as often as each other. It also brings the files into
    the cache.
    """
    ours, *others = [
        program["command"] for program in case["programs"] if program["command"] != ["cat"]
    ]
    expected = digests_in(ours, case)
    if sum(expected.values()) != len(case["files"]) * len(case["digests"].split(",")):
        sys.exit(f"error: {' '.join(ours)} gave {sum(expected.values())} digests")
    for command in others:
        if digests_in(command, case) != expected:
            sys.exit(
                f"error: {' '.join(command)} and hashdyno differ "
                f"in {case['digests']} of {case['data']}"
            )


def digests_in(command, case):
    out = subprocess.run(
        command + case["files"], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    lengths = sorted({HEX_DIGITS[digest] for digest in case["digests"].split(",")})
    pattern = "|".join(f"[0-9a-fA-F]{{{length}}}" for length in lengths)
    return Counter(word.lower() for word in re.findall(rf"(?<![\w/-])(?:{pattern})(?![\w/-])", out))


def timed(command, names):
    """Seconds by the clock, and of CPU time in user and system."""
    begun = time.perf_counter()
    child = subprocess.Popen(command + names, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"error: {' '.join(command)} ended with {child.returncode}")
    return wall, usage.ru_utime + usage.ru_stime


def show(cases):
    print(
        f"{'data':6} {'digests':30} {'program':46} {'median s':>9} {'CPU s':>7} {'GB/s':>6} "
        f"{'ratio':>6} {'low':>6} {'high':>6}"
    )
    for case, name, figures in rows(cases):
        wall, cpu, speed, (low, ratio, high) = figures
        print(
            f"{case['data']:6} {case['digests']:30} {name:46} {wall:9.4f} {cpu:7.3f} {speed:6.2f} "
            f"{ratio:6.2f} {low:6.2f} {high:6.2f}"
        )


def table(cases):
    print(
        "| files | digests | program | median s | CPU s | GB/s "
        "| times hashdyno's, lowest to highest |"
    )
    print("|---|---|---|--:|--:|--:|--:|")
    for case, name, figures in rows(cases):
        wall, cpu, speed, (low, ratio, high) = figures
        ratios = "" if name == "hashdyno" else f"{ratio:.2f} ({low:.2f} to {high:.2f})"
        print(
            f"| {case['data']} | {case['digests'].replace(',', ', ')} | `{name}` "
            f"| {wall:.3f} | {cpu:.3f} | {speed:.2f} | {ratios} |"
        )


def rows(cases):
    """Each program of each case: its name, and its medians beside hashdyno's."""
    for case in cases:
        ours, *_ = case["programs"]
        for program in case["programs"]:
            ratios = sorted(theirs / our for theirs, our in zip(program["wall_s"], ours["wall_s"]))
            wall, cpu = statistics.median(program["wall_s"]), statistics.median(program["cpu_s"])
            figures = (
                wall,
                cpu,
                case["bytes"] / wall / 1e9,
                (ratios[0], statistics.median(ratios), ratios[-1]),
            )
            yield case, "hashdyno" if program is ours else " ".join(program["command"]), figures


def record(options, cases):
    tools = sorted({program["command"][0] for case in cases for program in case["programs"]})
    for program in (program for case in cases for program in case["programs"]):
        program["command"] = [Path(program["command"][0]).name, *program["command"][1:]]
    document = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "command": f"crates/files/benches/sum.py FOLDER PROGRAM --rounds {options.rounds} "
        f"--only '{options.only}'",
        "machine": {
            "cpu": cpu(),
            "cores": len(os.sched_getaffinity(0)),
            "kernel": platform.release(),
        },
        "load": os.getloadavg()[0],
        "versions": {Path(tool).name: version(tool) for tool in tools},
        "cases": [{key: value for key, value in case.items() if key != "files"} for case in cases],
    }
    new = options.record.with_name(options.record.name + ".new")
    new.write_text(json.dumps(document) + "\n")
    new.rename(options.record)


def cpu():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
        platform.machine(),
    )


def version(tool):
    flag = "-V" if Path(tool).name == "hashdeep" else "--version"
    done = subprocess.run([tool, flag], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode().strip().split("\n")[0].strip()


if __name__ == "__main__":
    main()
