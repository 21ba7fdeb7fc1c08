import { readActor } from '../platform/actor.ts';
import type { Config } from '../platform/config.ts';
import type { Tx } from '../platform/db.ts';
import type { Ids } from '../platform/ids.ts';
import type { NewNotice, Notify, Reader } from '../platform/notify.ts';
import type { Vault } from '../platform/vault.ts';
import { isKind, kindOf, type NoticeKind } from './kinds.ts';
import { type FreshNotice, insertNotices } from './state-store.ts';
import { currentActor, findOff, findTeams, type TeamReader } from './store.ts';

/** What is sealed of a notice: its reader, and what its sentences need. */
export interface Content {
  to: Reader;
  facts: Readonly<Record<string, string>>;
}

interface Deps {
  ids: Ids;
  vault: Vault;
  config: Pick<Config, 'smtpUrl'>;
}

const context = (noticeId: string): string => `notice:${noticeId}`;

/** Opens the sealed content of a notice. */
export function openContent(vault: Vault, noticeId: string, sealed: string): Content {
  return JSON.parse(vault.open(sealed, context(noticeId))) as Content;
}

type Addressed = Omit<NewNotice, 'kind' | 'to'> & { kind: NoticeKind; to: Reader };

/** Names an actor within a sentence: a member by their name. */
function describeActor(actor: string, team: readonly TeamReader[]): string {
  const { type, name } = readActor(actor);
  if (type === 'member') return team.find(({ user_id }) => user_id === name)?.name ?? 'a member';
  if (type === 'api_key') return `the API key ${name}`;
  if (type === 'operator') return `${name} (who runs this service)`;
  return 'the service';
}

/** The name and address of the member whom a notice is about. */
function memberFacts(
  { memberId }: NewNotice,
  team: readonly TeamReader[],
): Readonly<Record<string, string>> {
  const member = team.find(({ user_id }) => user_id === memberId);
  return member === undefined ? {} : { name: member.name, email: member.email };
}

function known(kind: string): NoticeKind {
  if (!isKind(kind)) throw new Error(`no notice is called ${kind}`);
  return kind;
}

/** Returns one notice per reader, without the kinds that a merchant has turned off. */
async function address(tx: Tx, notices: readonly NewNotice[]): Promise<Addressed[]> {
  const personal = notices.flatMap(({ kind, to, ...rest }) =>
    to === undefined ? [] : [{ ...rest, kind: known(kind), to }],
  );
  const toTeams = notices.filter(({ to }) => to === undefined);
  if (toTeams.length === 0) return personal;
  const merchants = [...new Set(toTeams.map(({ merchantId }) => merchantId))];
  const [teams, off, actor] = [
    await findTeams(tx, merchants),
    await findOff(tx, merchants),
    await currentActor(tx),
  ];
  const addressed = toTeams.flatMap((notice): Addressed[] => {
    const kind = known(notice.kind);
    const { roles, isOptional } = kindOf(kind);
    if (isOptional && off.has(`${notice.merchantId}:${kind}`)) return [];
    const team = teams.filter(({ merchant_id }) => merchant_id === notice.merchantId);
    const facts = { by: describeActor(actor, team), ...memberFacts(notice, team), ...notice.facts };
    return team
      .filter(({ role }) => roles.includes(role))
      .map(({ name, email }) => ({ ...notice, kind, facts, to: { name, email } }));
  });
  return [...personal, ...addressed];
}

/** In the order of the unique key, so that two transactions with the same causes cannot deadlock. */
const inKeyOrder = (a: FreshNotice, b: FreshNotice): number =>
  Buffer.compare(orderKey(a), orderKey(b));
const orderKey = ({ merchantId, kind, causeId, readerIndex }: FreshNotice): Buffer =>
  Buffer.concat([Buffer.from(`${merchantId} ${kind} ${causeId} `), readerIndex]);

/** Makes the function that writes notices. Without a mail server they are kept, to be read in the dashboard. */
export function makeNotify({ ids, vault, config }: Deps): Notify {
  return async (tx, at, notices) => {
    if (notices.length === 0) return 0;
    const fresh = (await address(tx, notices)).map(
      ({ merchantId, kind, causeId, to, facts }): FreshNotice => {
        const noticeId = ids.next('ntc', at);
        const content: Content = { to, facts };
        return {
          merchantId,
          noticeId,
          kind,
          causeId,
          readerIndex: vault.index(to.email, `notice:${merchantId}:reader`),
          content: vault.seal(JSON.stringify(content), context(noticeId)),
          ...(config.smtpUrl === null
            ? { status: 'kept', dueAt: null }
            : { status: 'pending', dueAt: at }),
        };
      },
    );
    return fresh.length === 0 ? 0 : insertNotices(tx, at, fresh.sort(inKeyOrder));
  };
}
