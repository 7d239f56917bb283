"""What the campaigns about `hashdyno copy` share: a tree to copy, and what must hold of a
destination.
"""

import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
STAGING = ".hashdyno-copy"


def arguments(parser):
    """Adds the options of every campaign."""
    parser.add_argument(
        "--binary",
        type=pathlib.Path,
        help="the program [target/release/hashdyno, else target/debug/hashdyno]",
    )
    parser.add_argument("--seed", type=int, default=1, help="what random numbers begin with [1]")
    parser.add_argument(
        "--seconds", type=float, default=600, help="the campaign ends after this time [600]"
    )
    found = parser.parse_args()
    candidates = (
        [found.binary]
        if found.binary
        else [TARGET / kind / "hashdyno" for kind in ("release", "debug")]
    )
    found.binary = next((path for path in candidates if path.is_file()), None)
    if found.binary is None:
        stop("the program is missing", "cargo build --release -p hashdyno-cli, or --binary FILE")
    return found


def need(*programs):
    """Installs Debian's packages of these names where the program of the first word is missing."""
    missing = [package for program, package in programs if not shutil.which(program)]
    if missing and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing],
            check=False,
            stdout=sys.stderr,
        )
    if any(not shutil.which(program) for program, _ in programs):
        stop(
            f"these packages are missing: {' '.join(missing)}",
            f"sudo apt-get install {' '.join(missing)}",
        )


def stop(message, hint):
    print(f"error: {message}\nhint: {hint}", file=sys.stderr)
    sys.exit(3)


def plant(folder, count, seed, longest=20_000):
    """Writes that many files, no two alike; gives their names below the folder and their
    contents."""
    numbers, tree = random.Random(seed), {}
    for at in range(count):
        name = f"{at % 3}/{at:03}"
        tree[name] = numbers.randbytes(numbers.randrange(longest)) + str(at).encode()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(tree[name])
    return tree


def wrong(tree, folder):
    """Files under their final names whose content is another than the source's."""
    found = []
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_file() and not name.startswith(STAGING) and not name.endswith(".damaged"):
            if path.read_bytes() != tree.get(name):
                found.append(name)
    return found


def promised(folder):
    """What the journal says is in place: name and SHA-256 of each line that is not struck out."""
    journal = folder / STAGING / "journal"
    if not journal.is_file():
        return []
    lines, void, offset = {}, set(), 0
    for line in journal.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            entry = json.loads(line)
            if "of" in entry and entry.get("void"):
                void.add(entry["of"])
            elif "digests" in entry and "source" in entry:
                lines[offset] = (entry["name"], entry["digests"]["sha256"])
        offset += len(line)
    return [lines[at] for at in lines if at not in void]


def lost(folder):
    """Lines of the journal whose file is not there or is another."""

    def there(name, digest):
        path = folder / name
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest

    return [name for name, digest in promised(folder) if not there(name, digest)]


def resumed(binary, source, folder, tree, *options):
    """Goes on with the copy; says what is wrong with its end, or nothing."""
    run = subprocess.run(
        [binary, "copy", f"{source}/.", folder, "--resume", "-q", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    missing = [name for name in tree if not (folder / name).is_file()]
    if run.returncode or missing or wrong(tree, folder) or (folder / STAGING).exists():
        return (
            f"--resume: exit status {run.returncode}, {len(missing)} missing, "
            f"wrong: {wrong(tree, folder)}: {run.stderr.strip()}"
        )
    return ""
