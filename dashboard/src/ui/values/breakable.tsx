import { Fragment, type ReactNode } from 'react';

/** Shows a name such as `collection.success`, or a path, so that lines break after `/`, `.`, `_` and `,`, not within a word. */
export function breakable(name: string): ReactNode {
  const pieces = name.split(/(?<=[/._,])(?=\p{L})/u);
  return pieces.map((piece, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one name are never reordered
    <Fragment key={place}>
      {place === 0 ? null : <wbr />}
      {piece}
    </Fragment>
  ));
}
