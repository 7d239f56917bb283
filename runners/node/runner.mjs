// hashdyno's runner for Node.js: crypto.createHash, crypto.hash where there is one, and ciphers.
// The protocol: docs/PROTOCOL.md.
import * as crypto from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { digestJob, greetingOf, payload, serve } from "./protocol.mjs";

/** The ciphers of the protocol, HMAC and the envelope apart. */
const CIPHERS = new RegExp(
  "^(aes-\\d+-(ecb|cbc|ctr|ccm|gcm|xts)|camellia-\\d+-cbc|" +
    "(des|des-ede3|bf|cast5|idea|rc2|seed)-cbc|rc4|chacha20-poly1305)$",
);
const ENVELOPE = "aes-256-cbc-envelope";

/**
 * Does a job `calls` times: the last digest (of many messages all of them), and the nanoseconds. A
 * loop each, so that the calls are as a programmer writes them.
 */
function work({ how, name, message, options, key, iv, tag }, calls) {
  const { createHash, hash, createCipheriv, createDecipheriv, createHmac, randomBytes } = crypto;
  let cipher;
  let digest = Buffer.alloc(0);
  const begin = process.hrtime.bigint();
  switch (how) {
    case "empty":
      for (let i = 0; i < calls; i++);
      break;
    case "createHash":
      for (let i = 0; i < calls; i++) digest = createHash(name, options).update(message).digest();
      break;
    case "hash":
      for (let i = 0; i < calls; i++) digest = hash(name, message, "buffer");
      break;
    case "many createHash":
      for (let i = 0; i < calls; i++) {
        digest = [];
        for (const one of message) digest.push(createHash(name, options).update(one).digest());
      }
      break;
    case "many hash":
      for (let i = 0; i < calls; i++) {
        digest = [];
        for (const one of message) digest.push(hash(name, one, "buffer"));
      }
      break;
    case "encrypt":
      for (let i = 0; i < calls; i++) {
        cipher = createCipheriv(name, key, iv, options).setAutoPadding(false);
        digest = cipher.update(message);
        cipher.final();
        if (tag) tag = cipher.getAuthTag();
      }
      // Put together behind the clock: of a long message that is a copy as long as a call.
      if (tag) digest = [digest, tag];
      break;
    case "decrypt":
      for (let i = 0; i < calls; i++) {
        cipher = createDecipheriv(name, key, iv, options).setAutoPadding(false);
        if (tag) cipher.setAuthTag(tag);
        digest = cipher.update(message);
        cipher.final();
      }
      break;
    case "authenticate":
      for (let i = 0; i < calls; i++) digest = createHmac(name, key).update(message).digest();
      break;
    case "wrap":
      for (let i = 0; i < calls; i++) {
        randomBytes(16);
        cipher = createCipheriv(name, key, iv);
        const sealed = Buffer.concat([cipher.update(message), cipher.final()]).toString("base64");
        digest = Buffer.concat([Buffer.from(`${sealed}::`), iv]).toString("base64");
      }
      break;
    case "unwrap":
      for (let i = 0; i < calls; i++) {
        const inner = Buffer.from(message, "base64");
        const end = inner.indexOf("::");
        cipher = createDecipheriv(name, key, inner.subarray(end + 2));
        digest = Buffer.concat([
          cipher.update(inner.toString("latin1", 0, end), "base64"),
          cipher.final(),
        ]);
      }
      break;
    case "open":
      for (let i = 0; i < calls; i++) {
        const file = openSync(name);
        digest = piece.subarray(0, readSync(file, piece));
        closeSync(file);
      }
      break;
  }
  const elapsed = process.hrtime.bigint() - begin;
  return [Array.isArray(digest) ? Buffer.concat(digest) : Buffer.from(digest, "latin1"), elapsed];
}

/** The ways to compute `name`, the default first; none if getHashes() only says that it has it. */
function implementations(name) {
  try {
    crypto.createHash(name);
  } catch {
    return [];
  }
  // crypto.hash takes no output length.
  return crypto.hash && !name.startsWith("shake") ? ["createHash", "hash"] : ["createHash"];
}

/** The job of a line, its payload read. */
function job(words) {
  if (words.join(" ") === "job empty") return { how: "empty" };
  if (words[1] === "cipher") return cipherJob(words.slice(2));
  if (words[1] === "open" && words.length === 3)
    return { how: "open", name: payload(words[2].replace(/^len=/, "")).toString() };
  const { kind, name, way, message, length } = digestJob(words, implementations);
  return {
    how: kind === "many" ? `many ${way}` : way,
    name,
    message,
    options: length === undefined ? undefined : { outputLength: length },
  };
}

/**
 * The job of a cipher: whole blocks, no padding; where there is a tag, it follows the ciphertext.
 * The envelope is document 002's.
 */
function cipherJob([name, direction, ...rest]) {
  const {
    len,
    key,
    iv = "",
    ...others
  } = Object.fromEntries(rest.map((word) => word.split(/=(.*)/s, 2)));
  const input = payload(len);
  if (hmacs().includes(name) && direction === "authenticate" && iv === "") {
    return { how: direction, name: name.slice(5), message: input, key: Buffer.from(key, "hex") };
  }
  const known =
    ciphers().includes(name) &&
    ["encrypt", "decrypt"].includes(direction) &&
    !Object.keys(others).length;
  const enveloped = name === ENVELOPE;
  if (!known || (!enveloped && input.length % 16 !== 0))
    throw new Error(`cannot do: ${name} ${direction}`);
  const tagged = /([cg]cm|poly1305)$/.test(name);
  const end = tagged && direction === "decrypt" ? input.length - 16 : input.length;
  return {
    how: enveloped ? { encrypt: "wrap", decrypt: "unwrap" }[direction] : direction,
    name: enveloped ? "aes-256-cbc" : name,
    message:
      enveloped && direction === "decrypt" ? input.toString("latin1") : input.subarray(0, end),
    key: Buffer.from(key, "hex"),
    iv: iv === "" ? null : Buffer.from(iv, "hex"),
    tag: tagged ? input.subarray(end) : undefined,
    options: tagged ? { authTagLength: 16 } : undefined,
  };
}

/** The ciphers of the protocol that this Node has. */
function ciphers() {
  const own = crypto.getCiphers().filter((name) => CIPHERS.test(name));
  return own.includes("aes-256-cbc") ? [...own, ENVELOPE] : own;
}

/** The HMACs of the protocol that this Node has. */
function hmacs() {
  return ["md5", "sha1", "sha256", "sha512"]
    .filter((name) => implementations(name).length)
    .map((name) => `hmac-${name}`);
}

/** The names less those of signature schemes, which are the same digests again. */
function listing() {
  const names = crypto.getHashes().filter((name) => !/RSA|^id-|^ssl3-/.test(name));
  const lines = names
    .map((name) => [name, ...implementations(name)])
    .filter((words) => words.length > 1);
  return [
    ...lines.map((words) => `digest ${words.join(" ")}`),
    ...ciphers().map((name) => `cipher ${name} encrypt decrypt`),
    ...hmacs().map((name) => `cipher ${name} authenticate`),
  ];
}

/** Where a small file is read to. */
const piece = Buffer.alloc(4096);

const { openssl, v8, node } = process.versions;
await serve({
  greeting: greetingOf("node", node, { openssl, v8, path: process.execPath }),
  listing,
  job,
  work,
});
