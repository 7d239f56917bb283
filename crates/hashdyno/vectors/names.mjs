// Prints what packages of npm answer: `npm install @sindresorhus/fnv1a@3.1.0 djb2a@3.0.0
// sdbm@3.0.0`, `node names.mjs > FILE`, then names.py.
import fnv1a from "@sindresorhus/fnv1a";
import djb2a from "djb2a";
import sdbm from "sdbm";

const some = [511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192, 65543];
const lengths = [...Array(301).keys(), ...some];
const pattern = Uint8Array.from({ length: 4096 }, (_, i) => i % 251);
const text = (message) => Array.from(message, (byte) => String.fromCharCode(byte)).join("");

function all(name, engine, digits, digest) {
  const print = (what, message) =>
    console.log(name, what, digest(message).toString(16).padStart(digits, "0"), engine);
  const swept = Array.from(pattern, (_, n) =>
    digest(pattern.subarray(0, n)).toString(16).padStart(digits, "0"),
  ).join("");
  print("check", new TextEncoder().encode("123456789"));
  print(
    "sweep",
    Uint8Array.from(swept.match(/../g), (byte) => parseInt(byte, 16)),
  );
  for (const n of lengths) {
    print(
      n,
      Uint8Array.from({ length: n }, (_, i) => (i * 131 + 17 * n + (i >> 8)) & 255),
    );
  }
}

for (const size of [128, 256, 512, 1024]) {
  all(`fnv1a-${size}`, "npm-fnv1a-3.1.0", size / 4, (message) => fnv1a(message, { size }));
}
all("djb2a", "npm-djb2a-3.0.0", 8, (message) => djb2a(text(message)));
all("sdbm", "npm-sdbm-3.0.0", 8, (message) => sdbm(text(message)));
