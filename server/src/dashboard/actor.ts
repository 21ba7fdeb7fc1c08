import Type, { type Static } from 'typebox';
import { OneOf, OrNull } from '../platform/http/schemas.ts';

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
  service: 'Recollect',
};

/** The ids of members and API keys among actors of the audit trail (`member:usr_…`, `api_key:key_…`). */
export function idsAmong(actors: readonly string[]): { members: string[]; keys: string[] } {
  const parts = [...new Set(actors)].map(partsOf);
  const idsOf = (type: string) =>
    parts.filter((part) => part.type === type).map(({ rest }) => rest);
  return { members: idsOf('member'), keys: idsOf('api_key') };
}

/** Reads an actor of the audit trail; `names`: those of members and API keys, by id. */
export function viewActor(actor: string, names: ReadonlyMap<string, string>): Actor {
  const { type, rest } = partsOf(actor);
  switch (type) {
    case 'operator':
      return { type, id: null, name: rest };
    case 'member':
    case 'api_key':
      return { type, id: rest, name: names.get(rest) ?? NAMES[type] };
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

function partsOf(actor: string): { type: string; rest: string } {
  const colon = actor.indexOf(':');
  return colon < 0
    ? { type: actor, rest: '' }
    : { type: actor.slice(0, colon), rest: actor.slice(colon + 1) };
}
