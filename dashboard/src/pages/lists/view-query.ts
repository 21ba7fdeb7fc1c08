/** Returns the query of a list’s address in one order, so that two of the same view are equal. */
export function viewQuery(search: URLSearchParams | string): string {
  const pairs = [...new URLSearchParams(search)].filter(([, value]) => value !== '');
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new URLSearchParams(sorted).toString();
}

/** Whether the address shows this view. One that names no columns is shown with any. */
export function isShown(view: string, search: URLSearchParams): boolean {
  const shown = new URLSearchParams(search);
  if (!new URLSearchParams(view).has('columns')) shown.delete('columns');
  return viewQuery(view) === viewQuery(shown);
}
