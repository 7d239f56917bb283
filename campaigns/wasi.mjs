// Runs a program of WebAssembly by Node's WASI: node campaigns/wasi.mjs FILE.wasm [ARGUMENT ...]
// The program sees this process's environment and its current folder.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const here = process.cwd();
const wasi = new WASI({
  version: "preview1",
  args: [file, ...args],
  env: process.env,
  preopens: { [here]: here },
});
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
