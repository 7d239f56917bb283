// Light and dark: as the system is, until the reader says otherwise.

import palette from "../colours.json";

export interface Theme {
  ink: string;
  muted: string;
  rule: string;
  paper: string;
  /** By `Mark.hue`: told apart by those who see few colours too, and by their shapes. */
  colours: string[];
}

const LIGHT: Theme = {
  ink: "#1b1f24",
  muted: "#5d6570",
  rule: "#dfe1e4",
  paper: "#ffffff",
  colours: palette.hues.map((hue) => hue.light),
};
const DARK: Theme = {
  ink: "#e7e9ec",
  muted: "#9aa3ae",
  rule: "#343a42",
  paper: "#171a1e",
  colours: palette.hues.map((hue) => hue.dark),
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
