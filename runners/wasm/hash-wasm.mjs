// hash-wasm: WebAssembly, compiled from C.
import { packaged } from "./packages.mjs";

/**
 * Name, the package's function, what both take besides the message. `create` and the name in
 * capitals gives a hasher.
 */
const DIGESTS = [
  ["adler32", "adler32", "createAdler32"],
  ...[128, 160, 224, 256, 384, 512].map((bits) => [
    `blake2b-${bits}`,
    "blake2b",
    "createBLAKE2b",
    bits,
  ]),
  ...[128, 160, 224, 256].map((bits) => [`blake2s-${bits}`, "blake2s", "createBLAKE2s", bits]),
  ["blake3", "blake3", "createBLAKE3"],
  ["crc32b", "crc32", "createCRC32"],
  ["crc32c", "crc32", "createCRC32", 0x82f63b78],
  ["crc64-nvme", "crc64", "createCRC64", "9a6c9329ac4bc9b5"],
  ["crc64-xz", "crc64", "createCRC64"],
  ...[224, 256, 384, 512].map((bits) => [`keccak-${bits}`, "keccak", "createKeccak", bits]),
  ["md4", "md4", "createMD4"],
  ["md5", "md5", "createMD5"],
  ["ripemd160", "ripemd160", "createRIPEMD160"],
  ["sha1", "sha1", "createSHA1"],
  ...[224, 256, 384, 512].map((bits) => [`sha${bits}`, `sha${bits}`, `createSHA${bits}`]),
  ...[224, 256, 384, 512].map((bits) => [`sha3-${bits}`, "sha3", "createSHA3", bits]),
  ["sm3", "sm3", "createSM3"],
  ["whirlpool", "whirlpool", "createWhirlpool"],
  ["xxh32", "xxhash32", "createXXHash32"],
  ["xxh64", "xxhash64", "createXXHash64"],
  ["xxh3", "xxhash3", "createXXHash3"],
  ["xxh128", "xxhash128", "createXXHash128"],
];

/**
 * By a hasher that is kept, which does not wait; by the package's function, which gives a promise.
 */
export async function library() {
  const { version, path, load } = packaged("hash-wasm");
  const loaded = await load("hash-wasm");
  const functions = loaded.md5 ? loaded : loaded.default;
  const digests = new Map();
  for (const [name, call, create, ...parameters] of DIGESTS) {
    const hasher = await functions[create](...parameters);
    digests.set(name, {
      one: {
        hasher: () => (message) => hasher.init().update(message).digest("binary"),
        function: () => (message) => functions[call](message, ...parameters),
      },
    });
  }
  return { version, path, digests, waits: "function" };
}
