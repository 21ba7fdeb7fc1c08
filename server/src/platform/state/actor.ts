/** Returns the actor of an API key or a member, as the audit trail names it. */
export function actorOf(callerId: string): string {
  return `${callerId.startsWith('usr_') ? 'member' : 'api_key'}:${callerId}`;
}

/** Splits an actor: `member:usr_1` is a `member` called `usr_1`; `customer` has no name. */
export function readActor(actor: string): { type: string; name: string } {
  const colon = actor.indexOf(':');
  return colon < 0
    ? { type: actor, name: '' }
    : { type: actor.slice(0, colon), name: actor.slice(colon + 1) };
}

/** Returns the actor of an operator's command, by the operator's name. */
export function operatorActor(name: string): string {
  return `operator:${name}`;
}

/** Stands in the audit trail in place of a merchant, where a change is the whole service's. */
export const WHOLE_SERVICE = 'service';
