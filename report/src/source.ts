// A source in parts: `provider/implementation@mask*threads`.

export interface Source {
  provider: string;
  implementation: string;
  /** CPU features hidden from it; "all" where none is. */
  mask: string;
  threads: number;
}

export function parse(text: string): Source {
  const [, rest = text, threads = "1"] = /^(.*?)(?:\*(\d+))?$/.exec(text) ?? [];
  const [named = rest, mask = "all"] = cut(rest, "@");
  const [provider = named, implementation = ""] = cut(named, "/");
  return { provider, implementation, mask, threads: Number(threads) };
}

/** An algorithm and its direction: `aes-128-ecb encrypt`; digests have none. */
export function direction(algorithm: string): { name: string; direction: string } {
  const [, name = algorithm, way = ""] = /^(.*?)(?: (encrypt|decrypt))?$/.exec(algorithm) ?? [];
  return { name, direction: way };
}

function cut(text: string, at: string): [string, string?] {
  const place = text.indexOf(at);
  return place < 0 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}
