import type { Partners } from '../server/src/app/wiring/service.ts';
import type { Bank } from '../server/src/banks/bank.ts';

/** The same partners, with something between each of them and a process. */
export function wrapPartners(
  { banks, issuer, sender }: Partners,
  wrap: <T extends object>(partner: T) => T,
): Partners {
  const wrapped = new Map<string, Bank>();
  for (const [id, each] of banks) wrapped.set(id, wrap(each));
  return {
    banks: wrapped,
    issuer: wrap(issuer),
    ...(sender === undefined ? {} : { sender: wrap(sender) }),
  };
}
