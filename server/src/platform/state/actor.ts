/**
 * Returns the actor of an API key or a member, as the audit trail names it; `agent`: the name that the program behind the key
 * gave itself.
 */
export function actorOf(callerId: string, agent = ''): string {
  if (callerId.startsWith('usr_')) return `member:${callerId}`;
  return agent === '' ? `api_key:${callerId}` : `api_key:${callerId}:${agent}`;
}

/**
 * Splits an actor: `member:usr_1` is a `member` called `usr_1`; `customer` has no name; `api_key:key_1:Claude` is the API key
 * `key_1`, used by an agent that calls itself Claude.
 */
export function readActor(actor: string): { type: string; name: string; agent: string } {
  const [type = '', name = '', ...rest] = actor.split(':');
  return type === 'api_key'
    ? { type, name, agent: rest.join(':') }
    : { type, name: actor.slice(type.length + 1), agent: '' };
}

const LONGEST_AGENT = 60;

/**
 * Returns the name that an agent gave itself as it is written down: letters, digits and a few signs, so that it can neither pass
 * for another actor nor carry instructions of any length.
 */
export function agentName(given: string): string {
  return given
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N} ._/()+-]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, LONGEST_AGENT)
    .trim();
}

/** Returns the actor of an operator's command, by the operator's name. */
export function operatorActor(name: string): string {
  return `operator:${name}`;
}

/** Stands in the audit trail in place of a merchant, where a change is the whole service's. */
export const WHOLE_SERVICE = 'service';
