import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { BankDeps } from '../bank.ts';
import { type Account, book } from './books.ts';

/** A Faster Payment to an account of these banks, as delivered by the sender's institution; the amount is in pence. */
interface IncomingPayment {
  payment_id: string;
  reference: string;
  amount: { value: number };
  creditor: { sort_code: string; account_number: string };
  debtor: { name: string };
}

/** Adds the endpoint that takes Faster Payments. A repeated one counts once; 404: no bank here has the account. */
export function registerIncomingPayments(app: FastifyInstance, deps: BankDeps): void {
  const expected = Buffer.from(`Bearer ${deps.config.faster_payments.secret}`);
  app.post<{ Body: IncomingPayment }>('/faster-payments', async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return reply.code(401).send({ error: 'The bearer token does not match' });
    if (!receive(deps, request.body)) return reply.code(404).send({ error: 'No such account' });
    return { accepted: true };
  });
}

function receive({ store, clock }: BankDeps, payment: IncomingPayment): boolean {
  const { payment_id: paymentId, reference, amount, creditor, debtor } = payment;
  return store.transaction(() => {
    const account = store.get<Account>(
      'SELECT * FROM accounts WHERE sort_code = :sortCode AND account_number = :number',
      { sortCode: creditor.sort_code, number: creditor.account_number },
    );
    if (!account) return false;
    if (store.get('SELECT 1 FROM entries WHERE payment_id = :paymentId', { paymentId }))
      return true;
    const movement = { amountPence: amount.value, description: debtor.name, reference, paymentId };
    book(store, account.bank, account.account_number, movement, clock.now());
    return true;
  });
}
