import { randomUUIDv7 } from 'node:crypto';

/** Returns an opaque id: a prefix and a time-ordered random part, so that inserts are local in an index. */
export function newId(prefix: 'wlt' | 'mov' | 'ntf' | 'chk'): string {
  return `${prefix}_${randomUUIDv7().replaceAll('-', '')}`;
}
