"""The stub names the algorithms that the extension has. `HASHDYNO_BLESS=1` writes them into it."""

import os
import pathlib
import re
import sys

from hashdyno import Algorithm, _hashdyno

STUB = pathlib.Path(__file__).parents[1] / "python/hashdyno/_hashdyno.pyi"


def named(text: str) -> str:
    """The stub with every name of the extension in `__all__`, and a line for each algorithm."""
    names = sorted(_hashdyno.__all__)
    lines = [
        f"{it}: Final[Algorithm]\n" for it in names if isinstance(getattr(_hashdyno, it), Algorithm)
    ]
    every = "".join(f'    "{it}",\n' for it in names)
    text = re.sub(r"(?<=__all__ = \[\n).*?(?=\]\n)", every, text, count=1, flags=re.DOTALL)
    return re.sub(r"(\w+: Final\[Algorithm\]\n)+", "".join(lines), text, count=1)


committed = STUB.read_text()
if os.environ.get("HASHDYNO_BLESS"):
    STUB.write_text(named(committed))
elif named(committed) != committed:
    sys.exit(
        f"{STUB.name} does not name what the extension has\n"
        "hint: HASHDYNO_BLESS=1 bindings/python/test"
    )
