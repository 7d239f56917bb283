// Where the npm packages lie: `install-tools providers` puts those of package.json there.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hashdyno", "npm");

/** A package: its version, where it lies, and what loads a file of it. */
export function packaged(name) {
  const path = join(folder, "node_modules", name);
  const { version } = JSON.parse(readFileSync(join(path, "package.json")));
  const load = (file) =>
    import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(file)));
  return { version, path, load };
}
