import { channelsOf } from '../customers/reach.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { readActor } from '../platform/state/actor.ts';
import { isByText, type NewNotice, type Notify, type Reader } from '../platform/state/notify.ts';
import type { Vault } from '../platform/vault/vault.ts';
import { isKind, kindOf, type NoticeKind } from './kinds.ts';
import { type FreshNotice, insertNotices } from './state-store.ts';
import { currentActor, findOff, findTeams, findWitnesses, type TeamReader } from './store.ts';
import { addressCustomers } from './to-customers.ts';

/** What is sealed of a notice: its reader, and what its sentences need. */
export interface Content {
  to: Reader;
  facts: Readonly<Record<string, string>>;
}

type Deps = Pick<Platform, 'ids' | 'vault' | 'config'>;

const context = (noticeId: string): string => `notice:${noticeId}`;

/** Opens the sealed content of a notice. */
export function openContent(vault: Vault, noticeId: string, sealed: string): Content {
  return JSON.parse(vault.open(sealed, context(noticeId))) as Content;
}

/** Seals the content of a notice. */
export function sealContent(vault: Vault, noticeId: string, content: Content): string {
  return vault.seal(JSON.stringify(content), context(noticeId));
}

type Addressed = Omit<NewNotice, 'kind' | 'to' | 'customer'> & {
  kind: NoticeKind;
  to: Reader;
  scheduleId?: string;
  customerId?: string;
};

/** Names an actor within a sentence: a member by their name. */
function describeActor(actor: string, team: readonly TeamReader[]): string {
  const { type, name, agent } = readActor(actor);
  if (type === 'member') return team.find(({ userId }) => userId === name)?.name ?? 'a member';
  if (type === 'api_key')
    return agent === '' ? `the API key ${name}` : `${agent} (API key ${name})`;
  if (type === 'operator') return `${name} (who runs this service)`;
  return 'the service';
}

/** The name and address of the member whom a notice is about. */
function memberFacts(
  { memberId }: NewNotice,
  team: readonly TeamReader[],
): Readonly<Record<string, string>> {
  const member = team.find(({ userId }) => userId === memberId);
  return member === undefined ? {} : { name: member.name, email: member.email };
}

function requireKind(kind: string): NoticeKind {
  if (!isKind(kind)) throw new Error(`no notice is called ${kind}`);
  return kind;
}

/** Returns one notice per reader, without the kinds that a merchant has turned off. */
async function address(
  deps: Deps,
  tx: Tx,
  at: Temporal.Instant,
  notices: readonly NewNotice[],
): Promise<Addressed[]> {
  const personal = [...notices, ...(await addressCustomers(deps, tx, notices))].flatMap(
    ({ kind, to, ...rest }) => (to === undefined ? [] : [{ ...rest, kind: requireKind(kind), to }]),
  );
  const toTeams = notices.filter(({ to, customer }) => to === undefined && customer === undefined);
  if (toTeams.length === 0) return personal;
  const merchants = [...new Set(toTeams.map(({ merchantId }) => merchantId))];
  const [teams, off, actor] = [
    await findTeams(tx, merchants),
    await findOff(tx, merchants),
    await currentActor(tx),
  ];
  const witnesses = toTeams.some(({ kind }) => kindOf(requireKind(kind)).isForFormerOwners)
    ? await findWitnesses(tx, merchants, at.subtract(FORMER_OWNER_PERIOD))
    : [];
  const addressed = toTeams.flatMap((notice): Addressed[] => {
    const kind = requireKind(notice.kind);
    const { roles, isOptional, isForFormerOwners } = kindOf(kind);
    if (isOptional && off.has(`${notice.merchantId}:${kind}`)) return [];
    const team = teams.filter(({ merchantId }) => merchantId === notice.merchantId);
    const facts = { by: describeActor(actor, team), ...memberFacts(notice, team), ...notice.facts };
    const others = isForFormerOwners
      ? witnesses.filter(({ merchantId }) => merchantId === notice.merchantId)
      : [];
    return oncePerAddress([...team.filter(({ role }) => roles.includes(role)), ...others]).map(
      ({ name, email }) => ({ ...notice, kind, facts, to: { name, email } }),
    );
  });
  return [...personal, ...addressed];
}

/** How long somebody who is no owner any more hears of what concerns owners. */
const FORMER_OWNER_PERIOD = Temporal.Duration.from({ hours: 30 * 24 });

type NamedReader = Pick<TeamReader, 'name' | 'email'>;

/** Returns the first reader of each address. */
function oncePerAddress(readers: readonly NamedReader[]): NamedReader[] {
  const first = (reader: NamedReader): boolean =>
    readers.find(({ email }) => email === reader.email) === reader;
  return readers.filter(first);
}

/** In the order of the unique key, so that two transactions with the same causes cannot deadlock. */
const inKeyOrder = (a: FreshNotice, b: FreshNotice): number =>
  Buffer.compare(orderKey(a), orderKey(b));
const orderKey = ({ merchantId, kind, causeId, readerIndex }: FreshNotice): Buffer =>
  Buffer.concat([Buffer.from(`${merchantId} ${kind} ${causeId} `), readerIndex]);

/** Makes the function that writes notices. What cannot be sent here is kept, to be read in the dashboard. */
export function makeNotify(deps: Deps): Notify {
  const { ids, vault, config } = deps;
  const { hasEmail, hasTexts } = channelsOf(config);
  return async (tx, at, notices) => {
    if (notices.length === 0) return 0;
    const fresh = (await address(deps, tx, at, notices)).map(
      ({ merchantId, kind, causeId, to, facts, scheduleId, customerId }): FreshNotice => {
        const noticeId = ids.next('ntc', at);
        return {
          merchantId,
          noticeId,
          kind,
          causeId,
          scheduleId: scheduleId ?? null,
          customerId: customerId ?? null,
          readerIndex: vault.index(
            isByText(to) ? to.phone : to.email,
            `notice:${merchantId}:reader`,
          ),
          content: sealContent(vault, noticeId, { to, facts }),
          ...((isByText(to) ? hasTexts : hasEmail)
            ? { status: 'pending', dueAt: at }
            : { status: 'kept', dueAt: null }),
        };
      },
    );
    return fresh.length === 0 ? 0 : insertNotices(tx, at, fresh.sort(inKeyOrder));
  };
}
