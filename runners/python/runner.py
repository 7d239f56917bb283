"""hashdyno's runner for Python: hashlib, zlib, and the ciphers of the package cryptography. The
protocol: docs/PROTOCOL.md.
"""

import base64
import hashlib
import hmac
import io
import os
import re
import signal
import sys
import timeit
import zlib
from time import perf_counter_ns
from urllib.parse import quote

try:
    import cryptography
    from cryptography.hazmat.backends.openssl.backend import backend
    from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms, modes
    from cryptography.hazmat.primitives.padding import PKCS7
except ImportError:
    cryptography = None

try:  # what newer versions keep apart, since nobody should begin to use it
    from cryptography.hazmat.decrepit.ciphers import algorithms as older
except ImportError:
    older = cryptography and algorithms

CHECKSUMS = {"zlib.adler32": zlib.adler32, "zlib.crc32": zlib.crc32}
NUMBER = re.compile(r"[0-9]{1,18}")
MAX_PAYLOAD = 1 << 30
MAX_SPELLED = 16 << 10


class Job:
    """A call, as a programmer writes it, and the names that it uses; timed by timeit's own loop.
    `spell` makes an answer of its result.
    """

    def __init__(self, call, spell=None, **names):
        self.code, self.names, self.spell = compile(call, "job", "eval"), names, spell or joined
        self.timer = timeit.Timer(call, timer=perf_counter_ns, globals=names)

    def answer(self):
        """What one call gives, and its nanoseconds."""
        begin = perf_counter_ns()
        given = eval(self.code, self.names)
        elapsed = perf_counter_ns() - begin
        return self.spell(given), elapsed

    def run(self, calls):
        return self.timer.timeit(calls)


def joined(given):
    digests = given if isinstance(given, list) else [given]
    return b"".join(
        digest.to_bytes(4, "big") if isinstance(digest, int) else digest or b""
        for digest in digests
    )


def digest_job(name, how, out, message=None, messages=None):
    """The job of hashing `message`, or else `messages`, with `out` bytes of digest, by `how` or
    else by the best way there is.
    """
    ways = implementations(name)
    how = how or next(iter(ways), None)
    if how not in ways:
        raise ValueError(f"cannot do {name} by {how}")
    if out is not None and not name.startswith("shake"):
        raise ValueError(f"{name} gives a digest of one length only")
    # A SHAKE must be told a length; the usual one is twice its security.
    length = out or (int(name[-3:]) // 4 if name.startswith("shake") else "")
    call = {
        "constructor": f"make(message).digest({length})",
        "new": f"new(name, message).digest({length})",
        "zlib": "checksum(message)",
    }
    code = f"[{call[how]} for message in messages]" if messages else call[how]
    return Job(
        code,
        messages=messages,
        make=getattr(hashlib, name, None),
        new=hashlib.new,
        name=name,
        checksum=CHECKSUMS.get(name),
        message=message,
    )


def implementations(name):
    """The ways to compute `name`, the best first; none if it is unknown or if hashlib only says
    that it has it.
    """
    if name in CHECKSUMS:
        return ["zlib"]
    try:
        hashlib.new(name, b"")
    except (ValueError, TypeError):
        return []
    return ["constructor", "new"] if name in hashlib.algorithms_guaranteed else ["new"]


def cipher_job(name, direction, message, key, iv):
    """The job of a cipher: whole blocks, no padding; where there is a tag, it follows the
    ciphertext. The envelope is document 002's.
    """
    if name in HMACS and direction == "authenticate" and not iv:
        return Job(
            "digest(key, message, name)",
            digest=hmac.digest,
            key=key,
            message=message,
            name=name.removeprefix("hmac-"),
        )
    way, mode = {"encrypt": "encryptor", "decrypt": "decryptor"}[direction], name.split("-", 2)[-1]
    if name not in ciphers():
        raise ValueError(f"cannot do {name}")
    if name in OTHERS:
        return other_job(name, way, message, key, iv)
    bits = 256 if mode == "poly1305" else int(name[4:7]) * (2 if mode == "xts" else 1)
    if len(key) * 8 != bits or len(iv) != IV_LENGTHS.get(mode, 16):
        raise ValueError(f"cannot do {name} with these lengths")
    if mode == "cbc-envelope":
        return Job(
            "wrap(message, key, iv)" if direction == "encrypt" else "unwrap(message, key)",
            wrap=wrap,
            unwrap=unwrap,
            message=message,
            key=key,
            iv=iv,
        )
    if len(message) % 16:
        raise ValueError("the length is not one of whole blocks")
    if mode in AEADS:
        return Job(
            f"cipher.{direction}(iv, message, None)",
            cipher=AEADS[mode](key),
            iv=iv,
            message=message,
        )
    # The key cannot be kept: a context has one initialisation vector, or none.
    vector = {
        "ecb": lambda: modes.ECB(),
        "cbc": lambda: modes.CBC(iv),
        "ctr": lambda: modes.CTR(iv),
        "xts": lambda: modes.XTS(iv),
    }[mode]()
    call = f"(cipher := Cipher(AES(key), mode).{way}()).update(message) + cipher.finalize()"
    return Job(call, Cipher=Cipher, AES=algorithms.AES, key=key, mode=vector, message=message)


def other_job(name, way, message, key, iv):
    """The job of a block cipher other than AES in CBC, or of a stream cipher."""
    if len(message) % 16:
        raise ValueError("the length is not one of whole blocks")
    call = f"(cipher := Cipher(make(key), mode).{way}()).update(message) + cipher.finalize()"
    return Job(
        call,
        Cipher=Cipher,
        make=OTHERS[name],
        key=key,
        mode=modes.CBC(iv) if iv else None,
        message=message,
    )


def others():
    """Ciphers other than AES by their names; none that the package's OpenSSL cannot start."""
    names = {
        "camellia-128-cbc": ("Camellia", 16, 16), "camellia-192-cbc": ("Camellia", 24, 16),
        "camellia-256-cbc": ("Camellia", 32, 16), "des-ede3-cbc": ("TripleDES", 24, 8),
        "bf-cbc": ("Blowfish", 16, 8), "cast5-cbc": ("CAST5", 16, 8), "idea-cbc": ("IDEA", 16, 8),
        "rc2-cbc": ("RC2", 16, 8), "seed-cbc": ("SEED", 16, 16), "rc4": ("ARC4", 16, 0),
    }  # fmt: skip
    found = {}
    for name, (algorithm, key_length, iv_length) in names.items() if cryptography else ():
        try:
            make = getattr(older, algorithm, None) or getattr(algorithms, algorithm)
            Cipher(
                make(bytes(range(key_length))), modes.CBC(bytes(iv_length)) if iv_length else None
            ).encryptor()
            found[name] = make
        except Exception:  # it says UnsupportedAlgorithm, or has no such name
            continue
    return found


def wrap(message, key, iv):
    os.urandom(16)
    padder, cipher = PKCS7(128).padder(), Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    sealed = cipher.update(padder.update(message) + padder.finalize())
    return base64.b64encode(base64.b64encode(sealed) + b"::" + iv)


def unwrap(garble, key):
    sealed, iv = base64.b64decode(garble).split(b"::", 1)
    unpadder, cipher = PKCS7(128).unpadder(), Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    return unpadder.update(cipher.update(base64.b64decode(sealed))) + unpadder.finalize()


def ciphers():
    """The ciphers of the protocol; none without the package cryptography."""
    names = [
        f"aes-{bits}-{mode}"
        for mode in ("ecb", "cbc", "ctr", "ccm", "gcm")
        for bits in (128, 192, 256)
    ]
    siv = ["aes-128-gcm-siv", "aes-256-gcm-siv"] if "gcm-siv" in AEADS else []
    return (
        [
            *names,
            *siv,
            "aes-128-xts",
            "aes-256-xts",
            "chacha20-poly1305",
            "aes-256-cbc-envelope",
            *OTHERS,
        ]
        if cryptography
        else []
    )


def aeads():
    """What makes a cipher with a tag of its key, by the mode's name; GCM-SIV where the package and
    its OpenSSL have it.
    """
    if not cryptography:
        return {}
    found = {
        "ccm": lambda key: aead.AESCCM(key, tag_length=16),
        "gcm": aead.AESGCM,
        "poly1305": aead.ChaCha20Poly1305,
    }
    try:
        aead.AESGCMSIV(bytes(16))
        found["gcm-siv"] = aead.AESGCMSIV
    except Exception:  # it says UnsupportedAlgorithm, or has no such name
        pass
    return found


AEADS = aeads()
OTHERS = others()
HMACS = ["hmac-md5", "hmac-sha1", "hmac-sha256", "hmac-sha512"]
IV_LENGTHS = {"ecb": 0, "ccm": 12, "gcm": 12, "gcm-siv": 12, "poly1305": 12}


def open_job(path):
    """The job of opening a small file, reading it and closing it."""

    def read():
        with open(path, "rb", buffering=0) as file:
            return file.read(4096)

    return Job("read()", read=read)


def job(words):
    """The job of a line, its payload read."""
    if words[1] == "open" and len(words) == 3:
        return open_job(payload(words[2].removeprefix("len=")))
    if words[1] == "cipher" and len(words) > 3:
        options = dict(word.partition("=")[::2] for word in words[4:])
        message = payload(options.pop("len", ""))
        key, iv = (bytes.fromhex(options.pop(name, "")) for name in ("key", "iv"))
        if options:
            raise ValueError(f"cannot do: {' '.join(words)}")
        return cipher_job(*words[2:4], message, key, iv)
    options = dict(word.partition("=")[::2] for word in words[3:])
    many = words[1] == "many"
    given = (
        {"messages": cut(options.pop("lens", ""))}
        if many
        else {"message": payload(options.pop("len", ""))}
    )
    how, out = options.pop("impl", None), options.pop("out", None)
    if (
        words[1] != "digest"
        and not many
        or options
        or out is not None
        and not NUMBER.fullmatch(out)
    ):
        raise ValueError(f"cannot do: {' '.join(words)}")
    return digest_job(words[2], how, out and int(out), **given)


def cut(lengths):
    """The messages of these lengths, which have commas between."""
    lengths = lengths.split(",")
    if not all(NUMBER.fullmatch(length) for length in lengths):
        raise ValueError("lens must be numbers of bytes with commas between")
    stream = io.BytesIO(payload(str(sum(map(int, lengths)))))
    return [stream.read(int(length)) for length in lengths]


def payload(length):
    if not NUMBER.fullmatch(length) or int(length) > MAX_PAYLOAD:
        raise ValueError(f"len must be a number of bytes up to {MAX_PAYLOAD}")
    message = sys.stdin.buffer.read(int(length))
    if len(message) != int(length):
        sys.exit("the input ends in the middle of the payload")
    return message


def ready(current):
    """The line that answers, and what follows it."""
    answer, took = current.answer()
    if len(answer) > MAX_SPELLED:
        return f"ready +{len(answer)} {took}", answer
    return f"ready {answer.hex() or '-'} {took}", b""


def listing():
    names = [*sorted(hashlib.algorithms_available), *CHECKSUMS]
    lines = [
        " ".join(["digest", name, *implementations(name)])
        for name in names
        if implementations(name)
    ]
    return "\n".join(
        [
            *lines,
            *(f"cipher {name} encrypt decrypt" for name in ciphers()),
            *(f"cipher {name} authenticate" for name in HMACS),
            "end",
        ]
    )


def greeting():
    facts = {"zlib": zlib.ZLIB_RUNTIME_VERSION, "path": sys.executable}
    try:
        import ssl

        facts["openssl"] = ssl.OPENSSL_VERSION
    except ImportError:
        pass
    if cryptography:
        facts |= {
            "cryptography": cryptography.__version__,
            "its-openssl": backend.openssl_version_text(),
        }
    words = [f"{key}={quote(value)}" for key, value in facts.items()]
    return " ".join(["runner 1 python", quote(sys.version.split()[0]), *words])


def serve(greeting, listing, job):
    """Answers the host until its input ends. `job` makes the job of a line's words, but for the
    empty one.
    """
    # A signal, or a host that is gone, ends it as it ends any program: without a traceback.
    for number in signal.SIGINT, signal.SIGPIPE:
        signal.signal(number, signal.SIG_DFL)
    print(greeting, flush=True)
    current = None
    for line in iter(sys.stdin.buffer.readline, b""):
        words = line.decode("utf-8", "replace").rstrip("\n").split(" ")
        try:
            if words == ["list"]:
                reply = listing(), b""
            elif words[0] == "job" and len(words) > 1:
                current = None
                candidate = Job("None") if words == ["job", "empty"] else job(words)
                reply = ready(candidate)
                current = candidate
            elif current is None:
                raise ValueError(f"no job, or not understood: {' '.join(words)}")
            elif words == ["again"]:
                reply = ready(current)
            elif words[0] == "run" and len(words) == 2 and NUMBER.fullmatch(words[1]):
                reply = f"ran {current.run(int(words[1]))}", b""
            else:
                raise ValueError(f"not understood: {' '.join(words)}")
        except Exception as error:
            reply = "error " + " ".join(f"{type(error).__name__}: {error}".split()), b""
        sys.stdout.buffer.write(reply[0].encode() + b"\n" + reply[1])
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve(greeting(), listing, job)
