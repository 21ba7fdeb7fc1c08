import { randomUUIDv7 } from 'node:crypto';

/** An opaque id: the prefix over a time-ordered random part, so that inserts stay local in an index. */
export function newId(prefix: 'wlt' | 'mov' | 'ntf'): string {
  return `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;
}
