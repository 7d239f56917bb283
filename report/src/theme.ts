// Light and dark: what the system says, until the reader says otherwise.

export interface Theme {
  ink: string;
  muted: string;
  rule: string;
  paper: string;
  /** Told apart by those who see few colours too, and by their shapes. */
  colours: string[];
}

const LIGHT: Theme = {
  ink: "#1b1f24",
  muted: "#5d6570",
  rule: "#dfe1e4",
  paper: "#ffffff",
  colours: ["#1668b8", "#c4451c", "#1a8754", "#9a5bc2", "#b07c00", "#0e8a94", "#c2417c", "#66707c"],
};

const DARK: Theme = {
  ink: "#e7e9ec",
  muted: "#9aa3ae",
  rule: "#343a42",
  paper: "#171a1e",
  colours: ["#5aa9f2", "#f0865c", "#4fc48a", "#c39aec", "#dcb14a", "#4fc7d1", "#ee8ab8", "#a4adb8"],
};

const system = matchMedia("(prefers-color-scheme: dark)");

/** The theme now. */
export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return (chosen ? chosen === "dark" : system.matches) ? DARK : LIGHT;
}

/** The reader's word; "" is the system's. */
export function choose(name: string): void {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

/** Calls back when the system changes its mind. */
export function watch(changed: () => void): void {
  system.addEventListener("change", changed);
}
