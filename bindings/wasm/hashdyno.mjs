// hashdyno's digests and checksums in browsers, Node.js, Deno and Bun: the C library, compiled to
// WebAssembly. The calls are those of bindings/c/include/hashdyno.h. They own no memory, so nothing
// has to be freed.

/** Bytes of a message, or of messages together, that are copied into the module at a time. */
const PIECE = 64 * 1024;
const MANY = 1024 * 1024;
/** Messages that are hashed together. */
const AT_ONCE = 4096;
/** Bytes of digests that come out of the module at a time, and of a hasher. */
const OUT = 512 * 1024;
const HASHER = 3072;
const PAGE = 65536;

/**
 * Loads the module: hashdyno.wasm as bytes, as a Response (or a promise of one), or as a
 * WebAssembly.Module. In a browser: await load(fetch('hashdyno.wasm')). In Node.js: await
 * load(readFileSync('hashdyno.wasm')).
 */
export async function load(source) {
  const given = await source;
  let module = given;
  if (!(given instanceof WebAssembly.Module)) {
    module = await (given instanceof Response
      ? WebAssembly.compileStreaming(given)
      : WebAssembly.compile(given));
  }
  return new Hashdyno((await WebAssembly.instantiate(module, {})).exports);
}

/** A message as bytes: a Uint8Array, another view, or an ArrayBuffer. */
function bytesOf(message) {
  if (message instanceof Uint8Array) return message;
  if (ArrayBuffer.isView(message))
    return new Uint8Array(message.buffer, message.byteOffset, message.byteLength);
  if (message instanceof ArrayBuffer) return new Uint8Array(message);
  throw new TypeError(
    "a message is bytes: expected a Uint8Array; new TextEncoder().encode(text) makes one of a text",
  );
}

/** The bytes in lower-case hexadecimal. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The names of an algorithm of the C library, whose `crc32` is PHP's. Outside of PHP it is the
 * CRC-32 of zip, and PHP's is `php-crc32`.
 */
function outsidePhp(names) {
  const others = { crc32b: ["crc32"], "crc32-bzip2": ["php-crc32"] }[names[0]] ?? [];
  return [...names.filter((name) => name !== "crc32"), ...others];
}

/** The library: what `load` gives. */
class Hashdyno {
  #calls;
  #view = new Uint8Array(0);
  #words;
  #byName = new Map();
  #places;
  /** The hasher whose state is in the module. */
  #loaded = null;

  constructor(calls) {
    this.#calls = calls;
    const sizes = {
      out: OUT,
      offsets: 4 * (AT_ONCE + 1),
      whole: HASHER,
      pieces: HASHER,
      data: MANY,
    };
    const pages = Math.ceil(
      (Object.values(sizes).reduce((sum, size) => sum + size) + 16 * 5) / PAGE,
    );
    // These pages are this object's: the module's own allocator takes others.
    let end = calls.memory.grow(pages) * PAGE;
    this.#places = {};
    for (const [name, size] of Object.entries(sizes)) {
      this.#places[name] = end;
      end += Math.ceil(size / 16) * 16;
    }
    /** The version of the library. */
    this.version = this.#text(calls.hashdyno_version());
    /** All algorithms, in the library's order. */
    this.algorithms = this.#table();
    for (const algorithm of this.algorithms)
      for (const name of algorithm.names) this.#byName.set(name.toLowerCase(), algorithm);
  }

  /** The algorithm of that name, by any of its names, in any case. */
  find(name) {
    const algorithm = this.#byName.get(name) ?? this.#byName.get(String(name).toLowerCase());
    if (!algorithm) throw new RangeError(`no such algorithm: ${name}`);
    return algorithm;
  }

  /**
   * The digest of a whole message, a Uint8Array; `length` bytes of it, if the algorithm is
   * extendable.
   */
  digest(name, given, length) {
    const algorithm = this.find(name);
    const message = bytesOf(given);
    const size = this.#size(algorithm, length);
    const { out, data, whole } = this.#places;
    if (message.length <= PIECE) {
      this.#bytes().set(message, data);
      this.#do(this.#calls.hashdyno_digest(algorithm.place, 0, 0, data, message.length, out, size));
    } else {
      this.#do(this.#calls.hashdyno_start(whole, algorithm.place));
      this.#absorb(whole, message);
      this.#do(this.#calls.hashdyno_finish(whole, out, size));
    }
    return this.#bytes().slice(out, out + size);
  }

  /** A message that comes in pieces. */
  create(name) {
    const algorithm = this.find(name);
    const { pieces } = this.#places;
    const part = this.#calls.hashdyno_hasher_size_of(algorithm.place);
    const enter = (hasher, state) => {
      if (this.#loaded === hasher) return;
      this.#loaded?.leave();
      this.#loaded = hasher;
      this.#bytes().set(state, pieces);
    };
    return new Hasher(algorithm, new Uint8Array(part), {
      enter,
      leave: (hasher, state) => {
        if (this.#loaded === hasher) state.set(this.#bytes().subarray(pieces, pieces + part));
      },
      start: () => this.#do(this.#calls.hashdyno_start(pieces, algorithm.place)),
      update: (bytes) => this.#absorb(pieces, bytes),
      finish: (length) => {
        const { out } = this.#places;
        const size = this.#size(algorithm, length);
        this.#do(this.#calls.hashdyno_finish(pieces, out, size));
        return this.#bytes().slice(out, out + size);
      },
    });
  }

  /**
   * The digests of many messages, Uint8Arrays, one after another: many at a time in the lanes of
   * vectors.
   */
  digestMany(name, given) {
    const algorithm = this.find(name);
    const messages = Array.from(given, bytesOf);
    const size = algorithm.outputLength;
    const digests = new Uint8Array(messages.length * size);
    const { data, offsets, out } = this.#places;
    const most = Math.min(AT_ONCE, Math.floor(OUT / size));
    for (let first = 0; first < messages.length;) {
      if (messages[first].length > MANY) {
        digests.set(this.digest(name, messages[first]), first * size);
        first += 1;
        continue;
      }
      const bytes = this.#bytes();
      const words = this.#words;
      let count = 0;
      let end = 0;
      words[offsets / 4] = 0;
      for (; count < most && first + count < messages.length; count += 1) {
        const message = messages[first + count];
        if (end + message.length > MANY) break;
        bytes.set(message, data + end);
        end += message.length;
        words[offsets / 4 + count + 1] = end;
      }
      this.#do(
        this.#calls.hashdyno_digest_offsets(
          algorithm.place,
          0,
          data,
          end,
          offsets,
          count,
          out,
          count * size,
        ),
      );
      digests.set(this.#bytes().subarray(out, out + count * size), first * size);
      first += count;
    }
    return digests;
  }

  /**
   * The module's memory. A view is without length when the memory has grown; to ask the memory
   * itself takes longer than a checksum.
   */
  #bytes() {
    if (this.#view.length === 0) {
      this.#view = new Uint8Array(this.#calls.memory.buffer);
      this.#words = new Uint32Array(this.#calls.memory.buffer);
    }
    return this.#view;
  }

  #absorb(hasher, message) {
    const { data } = this.#places;
    for (let at = 0; at < message.length; at += PIECE) {
      const piece = message.length <= PIECE ? message : message.subarray(at, at + PIECE);
      this.#bytes().set(piece, data);
      this.#do(this.#calls.hashdyno_update(hasher, data, piece.length));
    }
  }

  #size(algorithm, length = algorithm.outputLength) {
    const right =
      length === algorithm.outputLength ||
      (algorithm.extendable && Number.isInteger(length) && length >= 0 && length <= OUT);
    if (!right) {
      const expected = algorithm.extendable ? `0 to ${OUT}` : algorithm.outputLength;
      throw new RangeError(
        `a digest of ${length} bytes by ${algorithm.name}: expected ${expected}`,
      );
    }
    return length;
  }

  /** A status that is not 0 is an error. */
  #do(status) {
    if (status !== 0) throw new Error(this.#text(this.#calls.hashdyno_message(status)));
  }

  /** The text that a zero byte ends. */
  #text(place) {
    const bytes = this.#bytes();
    return new TextDecoder().decode(bytes.subarray(place, bytes.indexOf(0, place)));
  }

  /** The table of hashdyno_all, as a C compiler lays hashdyno_algorithm out for wasm32. */
  #table() {
    const { out } = this.#places;
    const first = this.#calls.hashdyno_all(out);
    this.#bytes();
    const words = this.#words;
    const list = (place, of) => (words[place / 4] === 0 ? [] : [of(place), ...list(place + 4, of)]);
    return Array.from({ length: words[out / 4] }, (_, index) => {
      const place = first + 52 * index;
      const word = (at) => words[(place + at) / 4];
      const names = outsidePhp(list(word(4), (at) => this.#text(words[at / 4])));
      const kernels = Array.from({ length: word(48) }, (_, kernel) =>
        this.#text(words[(word(44) + 8 * kernel) / 4]),
      );
      return Object.freeze({
        name: names[0],
        names,
        specifiedIn: this.#text(word(20)),
        security: ["checksum", "broken", "legacy", "sound"][word(24)],
        extendable: this.#bytes()[place + 28] !== 0,
        outputLength: word(32),
        blockLength: word(36),
        check: this.#text(word(40)),
        kernels,
        place,
      });
    });
  }
}

/**
 * A message that comes in pieces. Its state is JavaScript's: any number of them may be under way.
 */
class Hasher {
  #state;
  #module;

  constructor(algorithm, state, module, begun = false) {
    this.algorithm = algorithm;
    this.#state = state;
    this.#module = module;
    if (!begun) this.#enter().start();
  }

  /** Takes the next bytes of the message. */
  update(bytes) {
    this.#enter().update(bytesOf(bytes));
    return this;
  }

  /** The digest of all bytes taken; the hasher then begins an empty message. */
  digest(length) {
    return this.#enter().finish(length);
  }

  /** A second hasher that has taken the same bytes. */
  copy() {
    this.#enter();
    this.leave();
    return new Hasher(this.algorithm, this.#state.slice(), this.#module, true);
  }

  /** Takes the state, if it is there, out of the module, where another comes in. */
  leave() {
    this.#module.leave(this, this.#state);
  }

  #enter() {
    this.#module.enter(this, this.#state);
    return this.#module;
  }
}
