/** A value to choose, and what it is called. */
export interface Choice<V extends string = string> {
  value: V;
  label: string;
}

/** Returns the choices of a set whose every value has a label; `all` is the label of choosing none of them, and comes first. */
export function choicesOf<V extends string>(labels: Readonly<Record<V, string>>): Choice<V>[];
export function choicesOf<V extends string>(
  labels: Readonly<Record<V, string>>,
  all: string,
): Choice<V | ''>[];
export function choicesOf(labels: Readonly<Record<string, string>>, all?: string): Choice[] {
  const choices = Object.entries(labels).map(([value, label]) => ({ value, label }));
  return all === undefined ? choices : [{ value: '', label: all }, ...choices];
}

/**
 * Returns the chosen values after one was switched on or off, in the order in which they are offered. A chosen value that is not
 * offered stays: a newer service knows more of them than this page.
 */
export function withSwitched(
  offered: readonly string[],
  chosen: readonly string[],
  value: string,
  isOn: boolean,
): string[] {
  const isChosen = (one: string) => (one === value ? isOn : chosen.includes(one));
  return [...offered.filter(isChosen), ...chosen.filter((one) => !offered.includes(one))];
}
