// @noble/hashes: plain JavaScript.
import { packaged } from "./packages.mjs";

/** File, the package's name, ours if it is another. */
const DIGESTS = [
  ["legacy", "md5"],
  ["legacy", "ripemd160"],
  ["legacy", "sha1"],
  ...["sha224", "sha256", "sha384", "sha512"].map((name) => ["sha2", name]),
  ["sha2", "sha512_224", "sha512-224"],
  ["sha2", "sha512_256", "sha512-256"],
  ...["sha3", "keccak"].flatMap((family) =>
    [224, 256, 384, 512].map((bits) => ["sha3", `${family}_${bits}`, `${family}-${bits}`]),
  ),
  ["sha3", "shake128"],
  ["sha3", "shake256"],
  ...["turboshake128", "turboshake256", "kt128", "kt256"].map((name) => ["sha3-addons", name]),
  ...[224, 256, 384, 512].map((bits) => ["blake1", `blake${bits}`, `blake-${bits}`]),
  ["blake3", "blake3"],
];

/** BLAKE2's digests are of any length, which is said with each call. */
const LENGTHS = { blake2b: [128, 160, 224, 256, 384, 512], blake2s: [128, 160, 224, 256] };

export async function library() {
  const { version, path, load } = packaged("@noble/hashes");
  const functions = async (file) => load(`@noble/hashes/${file}.js`);
  const digests = new Map();
  for (const [file, call, name = call] of DIGESTS) {
    const digest = (await functions(file))[call];
    digests.set(name, {
      one: { function: (length) => (length === undefined ? digest : ofLength(digest, length)) },
    });
  }
  for (const [name, lengths] of Object.entries(LENGTHS)) {
    const digest = (await functions("blake2"))[name];
    for (const bits of lengths)
      digests.set(`${name}-${bits}`, { one: { function: () => ofLength(digest, bits / 8) } });
  }
  return { version, path, digests };
}

function ofLength(digest, length) {
  const options = { dkLen: length };
  return (message) => digest(message, options);
}
