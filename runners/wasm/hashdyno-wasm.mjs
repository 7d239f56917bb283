// hashdyno, compiled to WebAssembly: bindings/wasm.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export async function library(path) {
  const bytes = readFileSync(path);
  const { load } = await import(pathToFileURL(join(dirname(path), "hashdyno.mjs")));
  const hashdyno = await load(bytes);
  const digests = new Map(
    hashdyno.algorithms.map(({ name }) => {
      const hasher = hashdyno.create(name);
      const one = {
        digest: (length) => (message) => hashdyno.digest(name, message, length),
        hasher: (length) => (message) => hasher.update(message).digest(length),
      };
      return [
        name,
        { one, many: { digestMany: () => (messages) => hashdyno.digestMany(name, messages) } },
      ];
    }),
  );
  return { version: hashdyno.version, path, digests };
}
