import type { Static } from 'typebox';
import { findHolds } from '../../merchants/holds/hold-store.ts';
import type { SettlementAccount } from '../../merchants/merchant.ts';
import type { Role } from '../../merchants/role.ts';
import type { PayeeCheck } from '../../merchants/settlement-account/payee-check.ts';
import { viewPayeeCheck } from '../../merchants/settlement-account/payee-check-view.ts';
import { lacksSecond, maskAccount } from '../../merchants/settlement-account/settlement-account.ts';
import {
  personWhoAsks,
  whyNotConfirm,
} from '../../merchants/settlement-account/settlement-account-service.ts';
import {
  type AccountChange,
  findLatestInForce,
  listAccountChanges,
} from '../../merchants/settlement-account/settlement-account-store.ts';
import { findMemberPerson } from '../../merchants/team/person.ts';
import { findMember, type Member } from '../../merchants/team/store.ts';
import { asActor, type Tx } from '../../platform/db/db.ts';
import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import { actorOf, readActor } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import type { Person } from '../../platform/two-people/pair.ts';
import { whyNotRelease } from '../../settlements/account-hold.ts';
import { checkPayee, type PayeeDeps } from '../../wallets/payee-check.ts';
import type { AccountChangesView } from './view.ts';

const MAX_LISTED = 10;

type ChangeActor = Static<typeof AccountChangesView>['changes'][number]['requested_by'];

/** Returns an actor of the audit trail with a readable name. */
async function readableActor(tx: Tx, merchantId: string, actor: string): Promise<ChangeActor> {
  const { type, name } = readActor(actor);
  if (type === 'operator') return { type, name };
  if (type !== 'member') return { type: 'service', name: 'The service' };
  const member = await findMember(tx, merchantId, name);
  return { type, name: member?.name ?? 'a former member' };
}

async function viewChange(
  tx: Tx,
  c: AccountChange,
): Promise<AccountChangesView['changes'][number]> {
  return {
    id: c.changeId,
    status: c.status,
    old_account: maskAccount(c.oldAccount),
    new_account: maskAccount(c.newAccount),
    requested_by: await readableActor(tx, c.merchantId, c.requestedBy),
    requested_at: formatInstant(c.requestedAt),
    takes_effect_at: formatInstant(c.takesEffectAt),
    payee_check: c.check && viewPayeeCheck(c.check),
    ended_by: c.endedBy === null ? null : await readableActor(tx, c.merchantId, c.endedBy),
    ended_at: formatInstant(c.endedAt),
  };
}

type Pending = NonNullable<AccountChangesView['pending']>;

/**
 * Returns all digits of the requested account, for owners only: an owner who may confirm must be able to compare them, since
 * another account can have the same last digits.
 */
function fullAccount(change: AccountChange, role: Role): Pending['full_account'] {
  if (role !== 'owner') return null;
  const { name, sortCode, accountNumber } = change.newAccount;
  return { name, sort_code: sortCode, account_number: accountNumber };
}

/** Returns why this member cannot be the second person, as `judge` finds; null: they can. */
async function whyNot(
  { tx, merchantId }: AskedBy,
  { userId, role, twoFactor }: Member,
  judge: (person: Person) => Promise<string | null>,
): Promise<string | null> {
  if (role !== 'owner') return 'Only an owner can confirm the change.';
  const problem = await judge(await findMemberPerson(tx, merchantId, userId));
  if (problem !== null || twoFactor) return problem;
  return 'You need a second factor to confirm it: set one up under Settings, Your security.';
}

/** Returns the hold of the pay-outs after a change of the account, as this member may see it. */
async function showHold(
  { vault }: Platform,
  asked: AskedBy,
  member: Member | null,
): Promise<AccountChangesView['hold']> {
  const { tx, merchantId } = asked;
  const { account_changed: hold } = await findHolds(tx, merchantId);
  if (hold === undefined || member === null) return null;
  const change = await findLatestInForce(tx, vault, merchantId);
  return {
    since: formatInstant(hold.since),
    ends_at: formatInstant(hold.endsAt),
    change_id: change?.changeId ?? null,
    full_account: change === null ? null : fullAccount(change, member.role),
    why_not_release: await whyNot(asked, member, (person) => whyNotRelease(asked, change, person)),
  };
}

/** Returns past and pending changes of the settlement account, as this member may see them. */
export async function showAccountChanges(
  platform: Platform,
  asked: AskedBy,
): Promise<AccountChangesView> {
  const { vault } = platform;
  const { tx, merchantId, actorId } = asked;
  const changes = await listAccountChanges(tx, vault, merchantId, MAX_LISTED);
  const member = await findMember(tx, merchantId, actorId);
  const waits = changes.find(({ status }) => status === 'pending') ?? null;
  const views = [];
  for (const change of changes) views.push(await viewChange(tx, change));
  const shown = views.find(({ status }) => status === 'pending');
  return {
    pending:
      waits === null || shown === undefined || member === null
        ? null
        : {
            ...shown,
            full_account: fullAccount(waits, member.role),
            waits_for_second: lacksSecond(waits),
            why_not_confirm: await whyNot(asked, member, (person) =>
              whyNotConfirm(asked, waits, person),
            ),
          },
    hold: await showHold(platform, asked, member),
    changes: views,
    has_second_factor: member?.twoFactor ?? false,
  };
}

/** Checks the name on an account for an owner, as `checkPayee` does. Throws 403 for whoever may not ask for the account. */
export function checkAsOwner(
  deps: PayeeDeps,
  { merchantId, actorId }: Pick<AskedBy, 'merchantId' | 'actorId'>,
  account: SettlementAccount,
): Promise<PayeeCheck> {
  const by = actorOf(actorId);
  const db = asActor(deps.platform.db, by);
  const owner = {
    merchantId,
    by,
    transact: <T>(work: (tx: Tx) => Promise<T>) => db.forMerchant(merchantId, work),
    refuse: (asked: Asked) => personWhoAsks({ ...asked, actorId }),
  };
  return checkPayee(deps, owner, account);
}
