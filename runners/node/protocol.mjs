// The protocol of docs/PROTOCOL.md, for runners in JavaScript: reads lines and payloads, and says
// what the runner answers.
import { readSync, writeSync } from "node:fs";

const MAX_PAYLOAD = 2 ** 30;
const MAX_SPELLED = 16384;

/**
 * Answers the host until its input ends.
 * `listing` gives the offers, a line each. `job` makes a job of a line's words. `work` does a job
 * so many times: the last answer and the nanoseconds, or a promise of them.
 */
export async function serve({ greeting, listing, job, work }) {
  say(greeting);
  let current = null;
  for (let line = nextLine(); line !== null; line = nextLine()) {
    const words = line.split(" ");
    try {
      if (line === "list") {
        say([...listing(), "end"].join("\n"));
      } else if (words[0] === "job" && words.length > 1) {
        current = null;
        const candidate = await job(words);
        const reply = ready(await work(candidate, 1));
        current = candidate;
        say(...reply);
      } else if (current && line === "again") {
        say(...ready(await work(current, 1)));
      } else if (current && /^run \d{1,15}$/.test(line)) {
        say(`ran ${(await work(current, Number(words[1])))[1]}`);
      } else {
        throw new Error(`no job, or not understood: ${line}`);
      }
    } catch (error) {
      say(`error ${error.message.replace(/\s+/g, " ")}`);
    }
  }
}

/** The words of a greeting. */
export function greetingOf(name, version, facts) {
  const words = Object.entries(facts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return ["runner 1", name, version, ...words].join(" ");
}

/**
 * A job of one digest or of many, its payload read. `ways` gives the ways to compute a digest of
 * that name, of one message or of `many`, the default first; none if there is no such digest.
 */
export function digestJob(words, ways) {
  const [, kind, name, ...rest] = words;
  const {
    [kind === "many" ? "lens" : "len"]: length,
    impl,
    out,
    ...others
  } = Object.fromEntries(rest.map((word) => word.split(/=(.*)/s, 2)));
  const message = kind === "many" ? messages(length) : payload(length);
  const known = ["digest", "many"].includes(kind) ? ways(name, kind) : [];
  const way = impl ?? known[0];
  const whole = out === undefined || /^\d{1,9}$/.test(out);
  if (!known.includes(way) || Object.keys(others).length || !whole)
    throw new Error(`cannot do: ${words.join(" ")}`);
  return { kind, name, way, message, length: out === undefined ? undefined : Number(out) };
}

/** The messages of these lengths, which have commas between. */
function messages(lens) {
  if (!/^\d{1,10}(,\d{1,10})*$/.test(lens))
    throw new Error("lens must be numbers of bytes with commas between");
  const lengths = lens.split(",").map(Number);
  const bytes = payload(lengths.reduce((sum, length) => sum + length));
  let end = 0;
  return lengths.map((length) => bytes.subarray(end, (end += length)));
}

/** The bytes that follow the line. */
export function payload(len) {
  if (!/^\d{1,10}$/.test(len) || Number(len) > MAX_PAYLOAD)
    throw new Error(`len must be a number of bytes up to ${MAX_PAYLOAD}`);
  const bytes = Buffer.alloc(Number(len));
  let have = take(bytes.length).copy(bytes);
  while (have < bytes.length) {
    const count = readSync(0, bytes, have, bytes.length - have, null);
    if (count === 0) {
      console.error("the input ends in the middle of the payload");
      process.exit(1);
    }
    have += count;
  }
  return bytes;
}

/** The line that answers, and what follows it. */
function ready([answer, took]) {
  return answer.length > MAX_SPELLED
    ? [`ready +${answer.length} ${took}`, answer]
    : [`ready ${answer.toString("hex") || "-"} ${took}`];
}

let unread = Buffer.alloc(0);

/** Reads some more input; false at its end. */
function fill() {
  const more = Buffer.alloc(65536);
  const count = readSync(0, more);
  unread = Buffer.concat([unread, more.subarray(0, count)]);
  return count > 0;
}

function take(count) {
  const taken = unread.subarray(0, count);
  unread = unread.subarray(count);
  return taken;
}

/** The next line without its end; null where the input ends. */
function nextLine() {
  while (!unread.includes(10)) if (!fill()) return null;
  return take(unread.indexOf(10) + 1)
    .toString()
    .slice(0, -1);
}

function say(text, behind = Buffer.alloc(0)) {
  try {
    for (let bytes of [Buffer.from(text + "\n"), behind])
      while (bytes.length) bytes = bytes.subarray(writeSync(1, bytes));
  } catch (error) {
    if (error.code === "EPIPE") process.exit(1); // the host is gone
    throw error;
  }
}
