"""Reads a bucket and says how it differs from a list.   verify_bucket.py s3://BUCKET/PREFIX LIST

The list is one of `hashdyno sum --tag`, `sha256sum` or `hashdyno.files.hash_tree`. Every object
that it names is read, whatever checksum the store has kept. The store is found as boto3 finds it,
by AWS_ENDPOINT_URL and its like. The exit status is 1 if anything differs.
"""

import sys
from pathlib import Path

from hashdyno.files import Difference, verify_tree


def lines(found: Difference) -> list[str]:
    kinds = {"changed": found.changed, "missing": found.missing, "not in the list": found.added}
    told = [f"{kind}: {name}" for kind, names in kinds.items() for name in names]
    return told + [f"cannot be read: {name}: {why}" for name, why in found.failed.items()]


if __name__ == "__main__":
    url, listed = sys.argv[1:]
    found = verify_tree(url, Path(listed), algorithm="sha256")
    print(*lines(found), f"{found.matching} objects are as listed", sep="\n")
    sys.exit(bool(found))
