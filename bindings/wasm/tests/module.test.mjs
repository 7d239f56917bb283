// Every algorithm of the module, in each of its ways. HASHDYNO_WASM names the folder where it was
// built.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const folder = process.env.HASHDYNO_WASM;
const { load, hex } = await import(pathToFileURL(join(folder, "hashdyno.mjs")));
const bytes = readFileSync(join(folder, "hashdyno.wasm"));
const hashdyno = await load(bytes);

/** Bytes that do not repeat within any block. */
const pattern = (length) => Uint8Array.from({ length }, (_, at) => at % 251);
const CHECK = new TextEncoder().encode("123456789");

test("every algorithm gives the digest that is known of it", () => {
  assert.ok(hashdyno.algorithms.length > 200);
  for (const { name, check, outputLength, kernels } of hashdyno.algorithms) {
    const digest = hashdyno.digest(name, CHECK);
    assert.equal(hex(digest), check, name);
    assert.equal(digest.length, outputLength, name);
    assert.ok(kernels.includes("portable"), name);
  }
});

test("crc32 is the CRC-32 of zip, and an algorithm is found by each of its names", () => {
  assert.equal(hex(hashdyno.digest("crc32", CHECK)), "cbf43926");
  assert.equal(hex(hashdyno.digest("php-crc32", CHECK)), hashdyno.find("crc32-bzip2").check);
  for (const algorithm of hashdyno.algorithms)
    for (const name of algorithm.names) assert.equal(hashdyno.find(name), algorithm, name);
});

test("the module has the kernels that it was compiled with", () => {
  const vectors = hashdyno.algorithms.filter(({ kernels }) =>
    kernels.some((kernel) => kernel.startsWith("simd128")),
  );
  if (folder.endsWith("portable")) assert.equal(vectors.length, 0);
  else assert.ok(vectors.length > 80, `${vectors.length} with kernels in lanes`);
});

test("the digests are those of Node.js", () => {
  for (const name of [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha3-256",
    "sha3-512",
    "ripemd160",
    "sm3",
  ]) {
    for (const length of [0, 1, 55, 56, 64, 111, 112, 128, 1000, 65536, 65537, 200000]) {
      const message = pattern(length);
      assert.equal(
        hex(hashdyno.digest(name, message)),
        createHash(name).update(message).digest("hex"),
        `${name} of ${length} bytes`,
      );
    }
  }
});

test("pieces, and many messages, give what one message gives", () => {
  const lengths = [
    0, 1, 3, 5, 7, 8, 16, 55, 64, 65, 127, 128, 129, 240, 241, 1000, 1024, 1025, 5000,
  ];
  const messages = [...lengths, ...lengths].map((length, number) => pattern(length + (number % 3)));
  for (const { name, outputLength } of hashdyno.algorithms) {
    const alone = messages.map((message) => hashdyno.digest(name, message));
    const together = hashdyno.digestMany(name, messages);
    const hasher = hashdyno.create(name);
    alone.forEach((digest, number) => {
      const what = `${name} of ${messages[number].length} bytes`;
      assert.deepEqual(
        together.subarray(number * outputLength, (number + 1) * outputLength),
        digest,
        `${what} among many`,
      );
      for (let at = 0; at < messages[number].length; at += 37)
        hasher.update(messages[number].subarray(at, at + 37));
      assert.deepEqual(hasher.digest(), digest, `${what} in pieces`);
    });
  }
});

test("more and longer messages than are taken at a time", () => {
  const many = Array.from({ length: 10_000 }, (_, number) => pattern((number * 7919) % 601));
  const long = [pattern(3), pattern(700_000), pattern(700_000), pattern(1_100_000), pattern(0)];
  for (const name of ["md5", "sha512", "xxh3", "skein1024-1024"]) {
    const length = hashdyno.find(name).outputLength;
    for (const messages of [many, long, []]) {
      const expected = Buffer.concat(messages.map((message) => hashdyno.digest(name, message)));
      assert.deepEqual(Buffer.from(hashdyno.digestMany(name, messages)), expected, name);
      assert.equal(expected.length, messages.length * length);
    }
  }
});

test("hashers take turns, and a copy goes its own way", () => {
  for (const [one, other] of [
    ["sha256", "blake3"],
    ["md5", "md5"],
  ]) {
    const [first, second] = [hashdyno.create(one), hashdyno.create(other)];
    const message = pattern(3000);
    let copy;
    for (let at = 0; at < 3000; at += 100) {
      first.update(message.subarray(at, at + 100));
      second.update(message.subarray(2900 - at, 3000 - at));
      if (at === 1500) copy = first.copy();
    }
    const backwards = Buffer.concat(
      Array.from({ length: 30 }, (_, number) =>
        message.subarray(2900 - 100 * number, 3000 - 100 * number),
      ),
    );
    assert.deepEqual(second.digest(), hashdyno.digest(other, backwards));
    assert.deepEqual(first.digest(), hashdyno.digest(one, message));
    assert.deepEqual(copy.update(message.subarray(1600)).digest(), hashdyno.digest(one, message));
    assert.deepEqual(
      first.digest(),
      hashdyno.digest(one, new Uint8Array(0)),
      "an empty message begins",
    );
  }
});

test("a hasher that leaves while another is in the module keeps its own state", () => {
  const [first, second] = [hashdyno.create("md5"), hashdyno.create("md5")];
  first.update(pattern(100));
  second.update(pattern(200));
  first.leave();
  assert.deepEqual(first.digest(), hashdyno.digest("md5", pattern(100)));
  assert.deepEqual(second.digest(), hashdyno.digest("md5", pattern(200)));
});

test("other views and other lengths", () => {
  const words = new Uint16Array([1, 2, 3, 4]);
  const expected = hashdyno.digest("sha256", new Uint8Array(words.buffer));
  assert.deepEqual(hashdyno.digest("SHA-256", words), expected);
  assert.deepEqual(hashdyno.digest("sha256", words.buffer), expected);
  assert.deepEqual(hashdyno.digest("sha256", Buffer.from(words.buffer)), expected);
  const long = hashdyno.digest("shake128", words, 1000);
  assert.equal(
    hex(long),
    createHash("shake128", { outputLength: 1000 }).update(words).digest("hex"),
  );
  assert.deepEqual(hashdyno.create("shake128").update(words).digest(1000), long);
});

test("misuse is an error that says what was expected", () => {
  assert.throws(() => hashdyno.digest("md7", CHECK), {
    name: "RangeError",
    message: "no such algorithm: md7",
  });
  assert.throws(() => hashdyno.create(undefined), { name: "RangeError" });
  assert.throws(() => hashdyno.digest("md5", "text"), {
    name: "TypeError",
    message: /expected a Uint8Array/,
  });
  assert.throws(() => hashdyno.digestMany("md5", [CHECK, 5]), { name: "TypeError" });
  assert.throws(() => hashdyno.digest("md5", CHECK, 15), {
    message: "a digest of 15 bytes by md5: expected 16",
  });
  assert.throws(() => hashdyno.digest("shake128", CHECK, -1), { name: "RangeError" });
});

test("a module and a response are loaded, too", async () => {
  const module = await WebAssembly.compile(bytes);
  const headers = { "content-type": "application/wasm" };
  for (const source of [module, Promise.resolve(new Response(bytes, { headers }))]) {
    assert.deepEqual((await load(source)).digest("md5", CHECK), hashdyno.digest("md5", CHECK));
  }
});
