/**
 * Whether what was typed becomes a beginning of the word by one edit: a letter put in, left out or replaced, or two neighbours
 * swapped. Both as letters; what begins the word as it stands is no edit away.
 */
export function isOneEditAway(typed: readonly string[], word: readonly string[]): boolean {
  const at = typed.findIndex((letter, n) => letter !== word[n]);
  if (at === -1) return false;
  const begins = (from: number, wordFrom: number): boolean =>
    typed.slice(from).every((letter, n) => letter === word[wordFrom + n]);
  const isSwapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return (
    begins(at + 1, at + 1) || // another letter
    begins(at, at + 1) || // one is missing
    begins(at + 1, at) || // one too many
    (isSwapped && begins(at + 2, at + 2))
  );
}
