#!/usr/bin/env python3
"""Times `hashdyno sum` on the digests of clouds of one file of 1 GiB in page cache, on one core,
beside the loop that their documents describe, by Python's hashlib, and beside rclone if it is here.

    clouds.py FOLDER PROGRAM [--rounds N] [--core N] [--dropbox HASH_FILE]

FOLDER takes the file, that of sum.py, made anew only where it is missing; PROGRAM is a release
build of hashdyno. HASH_FILE is Dropbox's own program, which needs the package six: it is
python/hash_file.py of github.com/dropbox/dropbox-api-content-hasher.
All answers are compared first. In each round every program runs once, start included, so that a
disturbance meets all of them. "ratio" is the median over the rounds of that program's time to
hashdyno's in the same round, with the lowest and the highest. No test: times are for eyes.
"""

import argparse
import base64
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from sum import LARGE_SIZE, large_file

# What hashdyno calls it, and the digest and the length of its parts.
CLOUDS = [
    ("dropbox", "sha256", 4 << 20),
    ("s3-etag", "md5", 8 << 20),
    ("s3-sha1", "sha1", 8 << 20),
    ("s3-sha256", "sha256", 8 << 20),
]
LOOP = """
import hashlib, sys
name, part, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
parts, room = hashlib.new(name), bytearray(part)
with open(path, "rb", buffering=0) as file:
    while count := file.readinto(room):
        parts.update(hashlib.new(name, memoryview(room)[:count]).digest())
print(parts.hexdigest())
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--dropbox", type=Path, metavar="HASH_FILE")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    path = large_file(options.folder)
    print(f"{'digest':10} {'program':10} {'median s':>9} {'GB/s':>6} {'ratio':>6}")
    for cloud, digest, part in CLOUDS:
        commands = {
            "hashdyno": [str(options.program.resolve()), "sum", "-a", cloud, path],
            "hashlib": [sys.executable, "-c", LOOP, digest, str(part), path],
        }
        if cloud == "dropbox" and shutil.which("rclone"):
            commands["rclone"] = ["rclone", "--quiet", "hashsum", "dropbox", path]
        if cloud == "dropbox" and options.dropbox:
            commands["reference"] = [sys.executable, str(options.dropbox), path]
        answers = {name: timed(command)[1] for name, command in commands.items()}
        if len(set(answers.values())) > 1:
            sys.exit(f"error: the answers for {cloud} differ: {answers}")
        times = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                times[name].append(timed(command)[0])
        for name, own in times.items():
            ratios = sorted(their / our for their, our in zip(own, times["hashdyno"]))
            median, ratio = statistics.median(own), statistics.median(ratios)
            print(
                f"{cloud:10} {name:10} {median:9.3f} {LARGE_SIZE / median / 1e9:6.2f} {ratio:6.2f} "
                f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
            )


def timed(command):
    """Seconds, and the digest that a program prints first, in hexadecimal or in Base64."""
    begun = time.perf_counter()
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    seconds = time.perf_counter() - begun
    # How many parts there are stands behind some.
    word = out.split()[0].split("-")[0]
    is_hex = len(word) in (32, 40, 64)
    return seconds, bytes.fromhex(word) if is_hex else base64.b64decode(word)


if __name__ == "__main__":
    main()
