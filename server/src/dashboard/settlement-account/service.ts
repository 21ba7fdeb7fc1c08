import type { Static } from 'typebox';
import type { Role } from '../../merchants/role.ts';
import { lacksSecond, maskAccount, whyNotConfirm } from '../../merchants/settlement-account.ts';
import {
  type AccountChange,
  listAccountChanges,
} from '../../merchants/settlement-account-store.ts';
import { findMember, findMemberPower } from '../../merchants/team/store.ts';
import { actorOf, readActor } from '../../platform/actor.ts';
import { formatInstant } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/db.ts';
import type { AskedBy, Platform } from '../../platform/platform.ts';
import type { AccountChangesView } from './view.ts';

const SHOWN = 10;

type Who = Static<typeof AccountChangesView>['changes'][number]['requested_by'];

/** Returns an actor of the audit trail with a readable name. */
async function whoIs(tx: Tx, merchantId: string, actor: string): Promise<Who> {
  const { type, name } = readActor(actor);
  if (type === 'operator') return { type, name };
  if (type !== 'member') return { type: 'service', name: 'Recollect' };
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
    requested_by: await whoIs(tx, c.merchantId, c.requestedBy),
    requested_at: formatInstant(c.requestedAt),
    takes_effect_at: formatInstant(c.takesEffectAt),
    ended_by: c.endedBy === null ? null : await whoIs(tx, c.merchantId, c.endedBy),
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

/** Returns past and pending changes of the settlement account, as this member may see them. */
export async function showAccountChanges(
  { vault }: Platform,
  { tx, now, merchantId, actorId }: AskedBy,
): Promise<AccountChangesView> {
  const changes = await listAccountChanges(tx, vault, merchantId, SHOWN);
  const power = await findMemberPower(tx, merchantId, actorId);
  const member = await findMember(tx, merchantId, actorId);
  const waits = changes.find(({ status }) => status === 'pending') ?? null;
  const views = [];
  for (const change of changes) views.push(await viewChange(tx, change));
  const shown = views.find(({ status }) => status === 'pending');
  const actor = actorOf(actorId);
  return {
    pending:
      waits === null || shown === undefined || power === null
        ? null
        : {
            ...shown,
            full_account: fullAccount(waits, power.role),
            waits_for_second: lacksSecond(waits),
            why_not_confirm: whyNotConfirm(waits, { actor, ...power }, now),
          },
    changes: views,
    has_second_factor: member?.twoFactor ?? false,
  };
}
