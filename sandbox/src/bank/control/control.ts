import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isoInstant, realNow, type Timekeeper } from '../../clock.ts';
import type { BankDeps } from '../bank.ts';
import { BEHAVIOURS, isBehaviourName } from '../behaviour/behaviours.ts';
import { type Account, book, findAccount, seedAccounts } from '../books/books.ts';
import { CONSENT_REASONS, type Consent } from '../books/consents.ts';
import type { Payment } from '../books/payments.ts';
import { registerDirectoryControl } from '../doors/directory-routes.ts';
import { BUSINESS_TABLES } from '../schema.ts';
import { registerBankControl } from './control-banks.ts';

/** The control endpoints under /sandbox: the clock, the books, the banks' behaviours, and reset. */

type AccountParams = { bank: string; account: string };

/** Adds the control endpoints; each needs the header `x-sandbox-secret`. */
export async function registerControl(
  app: FastifyInstance,
  deps: BankDeps,
  timekeeper: Timekeeper,
): Promise<void> {
  await app.register(async (control) => {
    control.addHook('onRequest', async (request, reply) => {
      if (!isAllowed(request, deps.config.control_secret)) {
        await reply.code(401).send({ error: 'x-sandbox-secret is missing or wrong' });
      }
    });
    control.put('/sandbox/clock', async (request, reply) => {
      const time = timeOf(request.body);
      if (!time)
        return reply.code(400).send({ error: 'Send {"now": ISO 8601, "running": boolean}' });
      const due = await timekeeper.advance(time.now, time.running);
      return { next_due: due && isoInstant(due) };
    });
    control.post('/sandbox/reset', async (request) => {
      const time = timeOf(request.body) ?? { now: realNow(), running: true };
      // Work in progress finishes first: it would write to deleted books.
      await timekeeper.settle();
      reset(deps, time.now, time.running);
      return { now: isoInstant(time.now), running: time.running };
    });
    control.get('/sandbox/payments', async () => ({ payments: allPayments(deps) }));
    control.get('/sandbox/consents', async () => ({ consents: allConsents(deps) }));
    control.get('/sandbox/accounts', async () => ({
      accounts: deps.store
        .all<Account>('SELECT * FROM accounts ORDER BY bank, account_number')
        .map((account) => ({ ...account, summary: BEHAVIOURS[account.behaviour].summary })),
    }));
    registerBankControl(control, deps);
    registerDirectoryControl(control, deps);
    control.put<{ Params: AccountParams }>('/sandbox/accounts/:bank/:account', (request, reply) =>
      putAccount(deps, request, reply),
    );
  });
}

function isAllowed(request: FastifyRequest, secret: string): boolean {
  const given = Buffer.from(String(request.headers['x-sandbox-secret'] ?? ''));
  const wanted = Buffer.from(secret);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function timeOf(body: unknown): { now: Temporal.Instant; running: boolean } | null {
  const { now, running } = (body ?? {}) as { now?: unknown; running?: unknown };
  try {
    return { now: Temporal.Instant.from(String(now)), running: running === true };
  } catch {
    return null;
  }
}

/** Empties the books and seeds them again at `now`; the banks keep their keys. */
function reset(deps: BankDeps, now: Temporal.Instant, running: boolean): void {
  deps.store.transaction(() => {
    for (const table of BUSINESS_TABLES) deps.store.run(`DELETE FROM ${table}`);
    seedAccounts(deps.store, now);
    deps.clock.set(now, running);
  });
  deps.faults.clear();
}

/** Sets a balance (in pence; the difference is booked) or a behaviour. Returns the account. */
async function putAccount(
  deps: BankDeps,
  request: FastifyRequest<{ Params: AccountParams }>,
  reply: FastifyReply,
) {
  const { bank, account: number } = request.params;
  const account = findAccount(deps.store, bank, number);
  if (!account) return reply.code(404).send({ error: `No account ${number} at ${bank}` });
  const { balance, behaviour } = (request.body ?? {}) as { balance?: unknown; behaviour?: unknown };
  if (balance !== undefined && (!Number.isSafeInteger(balance) || Number(balance) < 0)) {
    return reply.code(400).send({ error: 'balance is a whole number of pence, not negative' });
  }
  if (behaviour !== undefined && !isBehaviourName(String(behaviour))) {
    return reply.code(400).send({ error: `Unknown behaviour ${behaviour}` });
  }
  deps.store.transaction(() => {
    if (balance !== undefined) setBalance(deps, account, Number(balance));
    if (behaviour !== undefined) {
      deps.store.run(
        `UPDATE accounts SET behaviour = :behaviour
         WHERE bank = :bank AND account_number = :number`,
        { behaviour: String(behaviour), bank, number },
      );
    }
  });
  return findAccount(deps.store, bank, number);
}

function setBalance(deps: BankDeps, account: Account, balancePence: number): void {
  const amountPence = balancePence - account.balance_pence;
  if (amountPence === 0) return;
  const movement = { amountPence, description: 'Sandbox adjustment' };
  book(deps.store, account.bank, account.account_number, movement, deps.clock.now());
}

/** Returns every payment, oldest first, with the fields that an audit compares. */
function allPayments(deps: BankDeps): object[] {
  return deps.store
    .all<Payment & { request: unknown }>('SELECT * FROM payments ORDER BY created_at, rowid')
    .map(({ request, ...payment }) => {
      const { Instruction } = (JSON.parse(String(request)) as Payment['request']).Data;
      return {
        ...payment,
        debited: Boolean(payment.debited),
        end_to_end_id: Instruction.EndToEndIdentification,
        creditor: Instruction.CreditorAccount,
      };
    });
}

/** Returns every consent, oldest first, with its terms. */
function allConsents(deps: BankDeps): object[] {
  return deps.store
    .all<Consent & { request: unknown }>('SELECT * FROM consents ORDER BY created_at, rowid')
    .map(({ request, grant_id, ...consent }) => ({
      ...consent,
      reason_text: consent.reason && CONSENT_REASONS[consent.reason],
      is_granted: grant_id !== null,
      request: JSON.parse(String(request)),
    }));
}
