import Type, { type Static } from 'typebox';
import { OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import { readActor } from '../platform/state/actor.ts';

const ACTOR_TYPES = [
  'member',
  'api_key',
  'operator',
  'customer',
  'bank',
  'issuer',
  'service',
] as const;

/** Who made a change. */
export const Actor = Type.Object({
  type: OneOf(ACTOR_TYPES),
  id: OrNull(Type.String({ description: 'Of a member or an API key.' })),
  name: Type.String({ description: 'For people: “Kim Fern”.' }),
});
export type Actor = Static<typeof Actor>;

/** The names of those without one of their own. */
const NAMES: Readonly<Record<Exclude<Actor['type'], 'operator'>, string>> = {
  member: 'A former member',
  api_key: 'An API key',
  customer: 'The customer',
  bank: 'The bank',
  issuer: 'The e-money issuer',
  service: 'The service',
};

/** The ids of members and API keys among actors of the audit trail (`member:usr_…`, `api_key:key_…`). */
export function idsAmong(actors: readonly string[]): { members: string[]; keys: string[] } {
  const parts = [...new Set(actors)].map(readActor);
  const idsOf = (type: string) =>
    parts.filter((part) => part.type === type).map(({ name }) => name);
  return { members: idsOf('member'), keys: idsOf('api_key') };
}

/** Reads an actor of the audit trail; `names`: those of members and API keys, by id. */
export function viewActor(actor: string, names: ReadonlyMap<string, string>): Actor {
  const { type, name, agent } = readActor(actor);
  switch (type) {
    case 'operator':
      return { type, id: null, name };
    case 'member':
      return { type, id: name, name: names.get(name) ?? NAMES.member };
    case 'api_key': {
      const key = names.get(name) ?? NAMES.api_key;
      return { type, id: name, name: agent === '' ? key : `${agent} (${key})` };
    }
    case 'customer':
    case 'bank':
    case 'issuer':
      return { type, id: null, name: NAMES[type] };
    default:
      return { type: 'service', id: null, name: NAMES.service };
  }
}

const MENTION = /\b(?:member|api_key):\w+/g;

/** Returns the actors that a reason mentions. */
export function mentionedIn(reason: string): string[] {
  return [...reason.matchAll(MENTION)].map(([actor]) => actor);
}

/** Replaces the actors that a reason mentions by their names. */
export function nameMentions(reason: string, nameOf: (actor: string) => Actor): string {
  return reason.replaceAll(MENTION, (actor) => nameOf(actor).name);
}
