/** An algorithm and its direction: `aes-128-ecb encrypt`; digests have none. */
export function direction(algorithm: string): { name: string; direction: string } {
  const [, name = algorithm, way = ""] = /^(.*?)(?: (encrypt|decrypt))?$/.exec(algorithm) ?? [];
  return { name, direction: way };
}
