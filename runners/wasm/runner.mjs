// hashdyno's runner for the digests that a browser gets, in Node.js:
// runner.mjs LIBRARY [hashdyno.wasm]. A library is a file beside this one. The protocol:
// docs/PROTOCOL.md.
import { digestJob, greetingOf, payload, serve } from "../node/protocol.mjs";

/** What Node.js says of a package or a file that is not here. */
const MISSING = ["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND", "ENOENT"];

const [name, ...args] = process.argv.slice(2);
const library = await start();

async function start() {
  const { library } = await import(`./${name}.mjs`);
  try {
    return await library(...args);
  } catch (error) {
    if (!MISSING.includes(error.code)) throw error;
    console.log(`error ${name}`);
    process.exit();
  }
}

/**
 * Does a job `calls` times: the last digest (of many messages all of them), and the nanoseconds.
 */
async function work({ call, each, waits, message }, calls) {
  let digest = new Uint8Array(0);
  const begin = process.hrtime.bigint();
  if (!call) {
    for (let i = 0; i < calls; i++);
  } else if (each) {
    for (let i = 0; i < calls; i++) {
      digest = [];
      if (waits) for (const one of message) digest.push(await call(one));
      else for (const one of message) digest.push(call(one));
    }
  } else if (waits) {
    for (let i = 0; i < calls; i++) digest = await call(message);
  } else {
    for (let i = 0; i < calls; i++) digest = call(message);
  }
  const elapsed = process.hrtime.bigint() - begin;
  return [Buffer.concat([digest].flat().map(bytes)), elapsed];
}

/** A digest as bytes; hash-wasm's functions give hexadecimal. */
function bytes(digest) {
  return typeof digest === "string" ? Buffer.from(digest, "hex") : digest;
}

/** The ways to compute a digest; those that take many messages at once come first. */
function ways(name, kind) {
  const { one = {}, many = {} } = library.digests.get(name) ?? {};
  return [...(kind === "many" ? Object.keys(many) : []), ...Object.keys(one)];
}

function job(words) {
  if (words.join(" ") === "job empty") return {};
  if (words[1] === "open" && words.length === 3) {
    payload(words[2].replace(/^len=/, "")); // else the path would be the next line
    throw new Error("no files here");
  }
  const { kind, name, way, message, length } = digestJob(words, ways);
  const { one, many = {} } = library.digests.get(name);
  const atOnce = kind === "many" && Object.hasOwn(many, way);
  const call = (atOnce ? many : one)[way](length);
  return { call, each: kind === "many" && !atOnce, waits: way === library.waits, message };
}

function listing() {
  return [...library.digests].flatMap(([name, { one, many }]) => [
    ["digest", name, ...Object.keys(one)].join(" "),
    ...(many ? [["many", name, ...Object.keys(many)].join(" ")] : []),
  ]);
}

const { node, v8 } = process.versions;
await serve({
  greeting: greetingOf(name, library.version, { node, v8, path: library.path }),
  listing,
  job,
  work,
});
