import { viewCondition } from '../../../banks/bank-routes.ts';
import { type BankConnections, bankDirectory } from '../../../banks/directory.ts';
import type { ModulrConfig } from '../../../banks/modulr/config.ts';
import type { OpenBankingConfig } from '../../../banks/open-banking/config.ts';
import type { BankStop } from '../../../banks/stop-store.ts';
import { listOverdue } from '../../../laws/invariants/overdue-store.ts';
import { readBanks } from '../../../operators/banks/read.ts';
import { resumeBank, stopBank, trustBankAgain } from '../../../operators/banks/service.ts';
import { viewUnsent } from '../../../operators/banks/view.ts';
import { viewOverdue } from '../../../operators/overdue/routes.ts';
import { endOverdue, type What } from '../../../operators/overdue/service.ts';
import { findItem, listItems } from '../../../payments/books/unallocated-store.ts';
import { viewItem, viewItemInFull } from '../../../payments/books/unallocated-view.ts';
import { listWaiting } from '../../../payments/books/waiting-store.ts';
import { endUnallocated } from '../../../payments/operator/decide.ts';
import { type GiveUpDeps, giveUpPayment } from '../../../payments/operator/give-up.ts';
import { OperatorRefusal } from '../../../payments/operator/refusal.ts';
import type { ItemEnd } from '../../../payments/payment/unallocated-item.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Platform } from '../../../platform/platform.ts';
import { readBanksFile } from '../../banks-file/banks-file.ts';
import { certificatesOf } from '../../banks-file/certificates.ts';
import { endingOf, wireService } from '../../wiring/service.ts';
import { openIssuer } from '../session/issuer.ts';
import { withPlatform } from '../session/offline.ts';
import { operatorOf } from '../session/operator.ts';
import type { CommandResult } from '../session/output.ts';

/** The options of every operator decision. */
export interface OperatorDecision {
  reason: string;
}

/** Options of `payment fail`. */
export interface FailOptions extends OperatorDecision {
  evidence?: string;
  bankIsSilent?: true;
}

/** Runs work with the platform, banks and issuer; returns its refusal as a result. */
async function withPartners(
  config: Config,
  work: (deps: GiveUpDeps) => Promise<string>,
): Promise<CommandResult> {
  return withPlatform(config, async (platform: Platform) => {
    const issuer = await openIssuer(config);
    const directory = await bankDirectory(connectionsOf(config));
    try {
      return { line: await work({ platform, issuer, banks: directory.banks }), isDone: true };
    } catch (error) {
      if (!(error instanceof OperatorRefusal)) throw error;
      return { line: error.message, isDone: false };
    } finally {
      await directory.close();
      await issuer.close();
    }
  });
}

/** Returns the connections of the banks' file; none without one. */
const connectionsOf = (config: Config): BankConnections =>
  config.banksFile === null ? { direct: [], modulr: [] } : readBanksFile(config, config.banksFile);

/**
 * `bank list`: each bank of the file or of the books, our registration with it, and its consents. A bank behind Modulr is listed
 * on its own once it has consents.
 */
export async function listBanksCommand(config: Config) {
  const { direct, modulr } = connectionsOf(config);
  const configured = [...direct, ...modulr];
  const known = configured.map(({ bankId }) => bankId);
  const books = await withPlatform(config, ({ db, clock }) =>
    db.read((tx) => readBanks(tx, clock.now(), known)),
  );
  return books.map(({ bankId, state, stop, standing, unsent }) => {
    const bank = configured.find((one) => one.bankId === bankId);
    return {
      bank_id: bankId,
      consents_granted: state?.consentsGranted ?? 0,
      consents_in_doubt: state?.consentsInDoubt ?? 0,
      consents_suspended: state?.consentsSuspended ?? 0,
      distrusted_since: state?.distrustedSince ?? null,
      deletions_waiting: state?.deletionsWaiting ?? 0,
      oldest_deletion: state?.oldestDeletion ?? null,
      stopped: stopOf(stop),
      ...viewCondition(standing),
      waiting: viewUnsent(unsent),
      connection: bank ? connectionOf(bank) : null,
    };
  });
}

const stopOf = (stop: BankStop | undefined) =>
  stop === undefined ? null : { since: stop.since, by: stop.by, reason: stop.reason };

function connectionOf(bank: OpenBankingConfig | ModulrConfig) {
  if ('keyId' in bank)
    return {
      kind: 'modulr',
      base_url: bank.baseUrl,
      key_id: bank.keyId,
      vrp_type: bank.vrpType,
      funds_confirmation: bank.confirmsFunds,
    };
  return {
    kind: 'open_banking',
    name: bank.name,
    issuer: bank.issuer,
    client_id: bank.clientId,
    token_auth: bank.tokenAuth ?? 'private_key_jwt',
    vrp_type: bank.vrpType,
    certificates: certificatesOf(bank).map(({ certificate, validTo }) => ({
      certificate,
      valid_to: validTo,
    })),
  };
}

/** `bank trust`, `bank stop` and `bank resume`: changes a bank's state, and says so. */
export function decideOnBankCommand(
  config: Config,
  bankId: string,
  { reason }: OperatorDecision,
  decision: keyof typeof BANK_DECISIONS,
): Promise<CommandResult> {
  const { decide, done, already } = BANK_DECISIONS[decision];
  const { direct, modulr } = connectionsOf(config);
  const isBehind = modulr.some((connection) => bankId.startsWith(`${connection.bankId}-`));
  const known = [...direct.map((bank) => bank.bankId), ...(isBehind ? [bankId] : [])];
  return withPlatform(config, async ({ db, clock }) => {
    const word = { by: operatorOf(config), reason };
    const isDone = await db.transaction((tx) =>
      decide({ tx, now: clock.now(), bankId }, word, known),
    );
    return { line: `${bankId} ${isDone ? done : already}`, isDone };
  });
}

const BANK_DECISIONS = {
  trust: {
    decide: trustBankAgain,
    done: 'is trusted again; consents in doubt are being checked now',
    already: 'is already trusted',
  },
  stop: {
    decide: stopBank,
    done: 'is stopped; no payment order goes to it',
    already: 'is already stopped',
  },
  resume: {
    decide: resumeBank,
    done: 'is resumed; payments that waited are due now',
    already: 'is not stopped',
  },
} as const;

/** `payment fail`. */
export function failPaymentCommand(
  config: Config,
  paymentId: string,
  { reason, evidence, bankIsSilent }: FailOptions,
): Promise<CommandResult> {
  return withPartners(config, async (deps) => {
    const word = {
      by: operatorOf(config),
      reason,
      bankIsSilent: bankIsSilent === true,
      ...(evidence === undefined ? {} : { evidence }),
    };
    const status = await giveUpPayment(deps, paymentId, word);
    return status === 'failed'
      ? `${paymentId} is marked as failed, and the merchant is notified`
      : `the attempt is marked as failed; ${paymentId} continues with the money from an earlier attempt`;
  });
}

const MOST_LISTED = 1000;

/** `overdue list`. */
export function listOverdueCommand(config: Config): Promise<object[]> {
  return withPlatform(config, async ({ db, clock }) => {
    const now = clock.now();
    const all = await db.read((tx) => listOverdue(tx, now, MOST_LISTED));
    return all.map((one) => viewOverdue(one, now));
  });
}

/** Options of `overdue end`. */
export interface OverdueOptions extends OperatorDecision {
  outcome: string;
  evidence?: string;
}

/** `overdue end`. */
export function endOverdueCommand(
  config: Config,
  what: What,
  { reason, evidence, outcome }: OverdueOptions,
): Promise<CommandResult> {
  if (outcome !== 'done' && outcome !== 'not-done')
    throw new ConfigError('--outcome is done or not-done');
  const noun = what.noun.replaceAll('-', ' ').replaceAll('_', ' ');
  return withPartners(config, async (deps) => {
    const word = {
      by: operatorOf(config),
      reason,
      outcome: outcome === 'done' ? ('done' as const) : ('not_done' as const),
      ...(evidence === undefined ? {} : { evidence }),
    };
    const { platform, banks, issuer } = deps;
    const service = wireService(platform, { banks, issuer });
    await endOverdue({ ...deps, ...endingOf(service) }, { noun, id: what.id }, word);
    return `${what.id} has ended: ${outcome.replaceAll('-', ' ')}`;
  });
}

/** `payment list --waiting`. */
export function listWaitingCommand(config: Config): Promise<object[]> {
  return withPlatform(config, async ({ db, clock }) => {
    const now = clock.now();
    return db.read((tx) => listWaiting(tx, now, MOST_LISTED));
  });
}

/** `unallocated list`. */
export function listUnallocatedCommand(
  config: Config,
  { all, merchant }: { all?: true; merchant?: string },
): Promise<object[]> {
  const filter = {
    onlyOpen: all !== true,
    ...(merchant === undefined ? {} : { merchantId: merchant }),
  };
  return withPlatform(config, async ({ db, clock }) => {
    const items = await db.read((tx) => listItems(tx, filter, MOST_LISTED));
    return items.map((item) => viewItem(item, clock.now()));
  });
}

/** `unallocated show`. Throws ConfigError if there is none. */
export function showUnallocatedCommand(config: Config, id: string): Promise<object> {
  return withPlatform(config, async ({ db, clock, vault }) => {
    const item = await db.read((tx) => findItem(tx, id));
    if (item === null) throw new ConfigError(`there is no unallocated money ${id}`);
    return viewItemInFull(vault, item, clock.now());
  });
}

/** `unallocated allocate`, `accept`, `return`, `paid-on` and `credit`. */
export function endUnallocatedCommand(
  config: Config,
  id: string,
  { end, payment, reason }: OperatorDecision & { end: ItemEnd; payment?: string },
): Promise<CommandResult> {
  return withPartners(config, async (deps) => {
    const decision = { end, paymentId: payment ?? null, by: operatorOf(config), reason };
    const { kind, item } = await endUnallocated(deps, id, decision);
    const word = end.replaceAll('_', ' ');
    return kind === 'done'
      ? `${item.itemId}: ${item.amountPence} pence are ${word}`
      : `${item.itemId}: ${item.amountPence} pence are above what one person decides: a second operator must decide the same`;
  });
}
