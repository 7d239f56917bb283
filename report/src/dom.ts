// Elements by one function.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, string | number | boolean | ((event: Event) => void)>;

/**
 * An element: `on...` properties are listeners, the others attributes; true is an attribute without
 * a value, false is none.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(
    ...children.filter(
      (child): child is Node | string => child !== null && child !== undefined && child !== false,
    ),
  );
  return element;
}

/** A labelled choice; `changed` is told the value. */
export function select(
  label: string,
  options: [string, string][],
  value: string,
  changed: (value: string) => void,
): HTMLLabelElement {
  const choices = options.map(([key, text]) =>
    h("option", { value: key, selected: key === value }, text),
  );
  return h(
    "label",
    {},
    label,
    " ",
    h(
      "select",
      { onchange: (event) => changed((event.target as HTMLSelectElement).value) },
      ...choices,
    ),
  );
}

/** Puts text on the clipboard, at once: within the click that asked for it, from file:// too. */
export function copy(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", put, { once: true });
  const copied = document.execCommand("copy");
  document.removeEventListener("copy", put);
  return copied;
}

/** Tells everybody, those who hear the page too. */
export function tell(message: string): void {
  document.getElementById("status")!.textContent = message;
}
