"""Digests of files as clouds and networks name them: hashlib's answers, and every checksum that a
real S3 interface stores.
"""

import base64
import hashlib
import json
import os
import pathlib
import subprocess
import zlib

import hashdyno
import pytest

PART = 5 << 20
CONTENT = bytes(i * 131 >> 7 & 255 for i in range(1 << 16)) * 192  # 12 MiB
PARTS = [CONTENT[at : at + PART] for at in range(0, len(CONTENT), PART)]


def listed(algorithm: str, parts: list[bytes]) -> bytes:
    """The digest of the digests of parts, one after another."""
    return hashlib.new(
        algorithm, b"".join(hashlib.new(algorithm, it).digest() for it in parts)
    ).digest()


def test_hashlib_gives_the_same():
    etag = hashdyno.composite("s3-etag", CONTENT, part_size=PART)
    assert etag.text() == listed("md5", PARTS).hex() + "-3" and etag.parts() == 3
    assert etag.part_digests() == [hashlib.md5(it).digest() for it in PARTS]
    sha256 = hashdyno.composite("S3-SHA256", CONTENT, part_size=PART)
    assert sha256.text() == base64.b64encode(listed("sha256", PARTS)).decode() + "-3"
    blocks = [CONTENT[at : at + (4 << 20)] for at in range(0, len(CONTENT), 4 << 20)]
    assert hashdyno.composite("dropbox", CONTENT).digest() == listed("sha256", blocks)
    blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    assert hashdyno.composite("git-blob", CONTENT).hexdigest() == blob
    assert hashdyno.composite("git-blob", CONTENT, length=len(CONTENT)).hexdigest() == blob


def test_pieces_and_files(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(CONTENT)
    for name in hashdyno.composites():
        whole = hashdyno.composite(name, CONTENT, file="file")
        assert whole.name == name and f"{name} hashdyno.Composite" in repr(whole)
        pieces = hashdyno.composite(name, file="file")
        pieces.update(CONTENT[:1])
        assert pieces.digest() != whole.digest()
        pieces.update(memoryview(CONTENT)[1:])
        read = hashdyno.composite(name, file="file", length=len(CONTENT))
        read.update_file(str(path))
        assert whole.text() == pieces.text() == read.text()
    assert (
        hashdyno.composite("btih", CONTENT, file="a").text()
        != hashdyno.composite("btih", CONTENT, file="b").text()
    )
    with pytest.raises(FileNotFoundError):
        hashdyno.composite("tth").update_file(str(tmp_path / "gone"))
    with pytest.raises(ValueError, match="composites\\(\\) names all"):
        hashdyno.composite("md5")
    for name, part_size in (("tth", 1024), ("s3-etag", 0)):
        with pytest.raises(ValueError, match="part_size"):
            hashdyno.composite(name, part_size=part_size)


def test_another_length_than_was_told_has_no_digest():
    for name in hashdyno.composites():
        hasher = hashdyno.composite(name, b"hell", length=5)
        for asked in ("digest", "hexdigest", "text", "parts", "part_digests"):
            if name.startswith(("git-blob", "btih")):
                with pytest.raises(ValueError, match="length: another number of bytes"):
                    getattr(hasher, asked)()
            else:
                getattr(hasher, asked)()
        hasher.update(b"o")
        assert hasher.digest() == hashdyno.composite(name, b"hello").digest()
    with pytest.raises(ValueError, match="length: another number of bytes"):
        hashdyno.composite("git-blob", b"hello", length=4).hexdigest()


PART_DIGESTS = {
    "dropbox": "sha256",
    "s3-etag": "md5",
    "s3-sha256": "sha256",
    "s3-sha1": "sha1",
    "s3-crc32c": "crc32c",
    "s3-crc32": "crc32",
    "ed2k": "md4",
    "ed2k-blue": "md4",
    "btih": "sha1",
    "git-blob": "sha1",
    "git-blob-sha256": "sha256",
    "sha256d": "sha256",
    "hash160": "sha256",
}
"""What hashes the parts. Trees have none."""


@pytest.mark.parametrize("name", hashdyno.composites())
def test_digests_of_parts_are_whole(name):
    made = hashdyno.composite(name, b"abc").part_digests()
    message = b"blob 3\0abc" if name.startswith("git-blob") else b"abc"
    digest = PART_DIGESTS.get(name)
    assert made == ([hashdyno.new(digest, message).digest()] if digest else [])


@pytest.fixture(scope="module")
def s3():
    """A client of a real S3 interface."""
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    client = boto3.client(
        "s3",
        aws_access_key_id="k",
        aws_secret_access_key="s",
        endpoint_url=f"http://{host}:{port}",
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="objects")  # another module of tests has "bucket" in this process
    yield client
    server.stop()


def uploaded(s3, algorithm: str | None, full: bool) -> list[str]:
    """What the store says of an object that was uploaded in parts, as lines of a list."""
    where = {"Bucket": "objects", "Key": "object"}
    more = {"ChecksumAlgorithm": algorithm} if algorithm else {}
    kind = {"ChecksumType": "FULL_OBJECT"} if full else {}
    upload = where | {"UploadId": s3.create_multipart_upload(**where, **more, **kind)["UploadId"]}
    known = []
    for number, part in enumerate(PARTS, 1):
        sent = s3.upload_part(**upload, PartNumber=number, Body=part, **more)
        values = {
            it: value for it, value in sent.items() if it == "ETag" or it.startswith("Checksum")
        }
        known.append({"PartNumber": number} | values)
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": known})
    head = s3.head_object(**where)
    assert head["ContentLength"] == len(CONTENT)
    lines = [f"S3-ETAG (object) = {head['ETag']}"]
    checksum = s3.get_object_attributes(**where, ObjectAttributes=["Checksum"]).get("Checksum", {})
    composite = checksum.pop("ChecksumType", None) == "COMPOSITE"
    for name, value in checksum.items():
        # This store leaves out the number of parts, which S3 puts behind the value.
        tag = ("S3-" if composite else "") + name.removeprefix("Checksum")
        lines.append(f"{tag} (object) = {value}" + (f"-{len(PARTS)}" if composite else ""))
    return lines


@pytest.mark.skipif("HASHDYNO_LIBS" not in os.environ, reason="the program is not built here")
def test_every_checksum_that_a_store_keeps_is_recomputed(s3, tmp_path):
    program = pathlib.Path(os.environ["HASHDYNO_LIBS"]) / "hashdyno"
    path = tmp_path / "object"

    def verdicts(lines: list[str], *options: str) -> list[str]:
        (tmp_path / "list").write_text("\n".join(lines) + "\n")
        checked = subprocess.run(
            [program, "check", "--json", *options, "list"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        said = [json.loads(line) for line in checked.stdout.splitlines()]
        return [it["verdict"] for it in said if "verdict" in it]

    kept = set()
    algorithms = [
        (None, False),
        ("SHA256", False),
        ("SHA1", False),
        ("CRC32", False),
        ("CRC32C", False),
    ]
    for algorithm, full in [*algorithms, ("CRC32", True), ("CRC32C", True), ("CRC64NVME", True)]:
        lines = uploaded(s3, algorithm, full)
        kept |= {line.split()[0] for line in lines}
        path.write_bytes(CONTENT)
        assert verdicts(lines) == verdicts(lines, "--part-size", "5MiB") == ["ok"] * len(lines), (
            lines
        )
        damaged = bytearray(CONTENT)
        damaged[7_000_000] ^= 1
        path.write_bytes(damaged)
        assert verdicts(lines) == ["failed"] * len(lines), lines
    composites = {"S3-ETAG", "S3-SHA256", "S3-SHA1", "S3-CRC32", "S3-CRC32C"}
    assert kept == composites | {"CRC32", "CRC32C", "CRC64NVME"}


def test_a_crc_of_parts_is_that_of_zlib():
    parts = b"".join(zlib.crc32(it).to_bytes(4, "big") for it in PARTS)
    expected = base64.b64encode(zlib.crc32(parts).to_bytes(4, "big")).decode() + "-3"
    assert hashdyno.composite("s3-crc32", CONTENT, part_size=PART).text() == expected
