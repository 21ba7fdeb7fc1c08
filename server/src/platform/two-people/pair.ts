import { isBefore } from '../values/instants.ts';
import { isSameName } from './same-name.ts';

/** How long somebody whom another person let in is a newcomer: docs/rules/access.md#two-people. */
export const NEWCOMER_FOR = Temporal.Duration.from({ hours: 72 });

/** Somebody who asks for, or agrees to, what takes two people. */
export interface Person {
  /** `usr_…` of a member, `opr_…` of an operator, `shell:<login>` of a login on the machine. */
  id: string;
  /** An operator's name, a member's address, or the login: one person may stand behind two ids. */
  name: string;
  /** Whether they have proved who they are; a login proves nothing. */
  authenticated: boolean;
  /** Until when they are a newcomer, in business time; null: nobody let them in who could be them. */
  newcomerUntil: Temporal.Instant | null;
  /** Everybody who ever let them in, directly or through others, by id. */
  letInBy: ReadonlySet<string>;
}

const SHELL_PREFIX = 'shell:';

/** Returns the id of a person who is only a login on the machine. */
export const shellId = (login: string): string => `${SHELL_PREFIX}${login}`;

/** Whether somebody else has let this person in so recently that they have no say yet. */
export function isNewcomer({ newcomerUntil }: Person, now: Temporal.Instant): boolean {
  return newcomerUntil !== null && isBefore(now, newcomerUntil);
}

/**
 * Returns why this person may not ask for or agree to what takes two people, let anybody in, or remove or demote anybody; null:
 * they may.
 */
export function whyNotAsk(person: Person, now: Temporal.Instant): string | null {
  if (!isNewcomer(person, now)) return null;
  return (
    'Somebody else let you in, or gave you a new way in, less than 72 hours ago. Until they have passed you cannot ask ' +
    'for this or agree to it.'
  );
}

/** Two people, and when the first asked. Instants are business time. */
export interface Pair {
  asker: Person;
  askedAt: Temporal.Instant;
  second: Person;
  now: Temporal.Instant;
}

/**
 * Returns why two people are no pair; null: they are. Both were trusted before the thing was asked for and are now, the second
 * one has proved who they are, and neither ever let the other in. See docs/rules/access.md#two-people.
 */
export function whyNoPair({ asker, askedAt, second, now }: Pair): string | null {
  if (isSamePerson(asker, second)) return 'You asked for it: another person has to agree.';
  if (!second.authenticated)
    return 'A login on the machine cannot agree: sign in as yourself to agree.';
  for (const at of [askedAt, now])
    if (isNewcomer(second, at))
      return (
        'Somebody else let you in, or gave you a new way in, less than 72 hours before it was asked for or after that: you ' +
        'cannot agree to it.'
      );
  for (const at of [askedAt, now])
    if (isNewcomer(asker, at))
      return (
        'Whoever asked for it was let in, or was given a new way in, by somebody else less than 72 hours before or after that: ' +
        'nobody can agree to it.'
      );
  if (wasLetInBy(second, asker) || wasLetInBy(asker, second))
    return 'One of you two let the other in, directly or through others. One person could be both, so a third has to agree.';
  return null;
}

/** Whether two are one person, as far as ids and names tell. */
function isSamePerson(a: Person, b: Person): boolean {
  return a.id === b.id || isSameName(a.name, b.name);
}

/** Whether `by` ever let `person` in, also as a login on the machine. */
function wasLetInBy(person: Person, by: Person): boolean {
  return [...person.letInBy].some(
    (id) =>
      id === by.id ||
      (id.startsWith(SHELL_PREFIX) && isSameName(id.slice(SHELL_PREFIX.length), by.name)),
  );
}
