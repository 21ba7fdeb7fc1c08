/** A mistake that a tired programmer might make, and that our simulation must detect. */
export interface Defect {
  name: string;
  /** Relative to the server's sources. */
  file: string;
  from: string;
  to: string;
  /** How many days a seed needs to hit it, if more than usual. */
  days?: number;
}

/** Each of them loses money, takes it twice, or fails to report it. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'each call for a payment has a key of its own',
    file: 'payments/send.ts',
    from: 'idempotencyKey: name,',
    to: `idempotencyKey: \`\${name}-\${attempt.polls}\`,`,
  },
  {
    name: 'a bank that does not answer has not taken the money',
    file: 'payments/send.ts',
    from: 'return neverLeft ? notSent(attempt.polls, this.#budget.restsUntil) : unknown;',
    to: `return ended('technical', 'No answer.', attempt.polls);`,
  },
  {
    name: 'a bank that does not take our signature has refused the payment',
    file: 'payments/send.ts',
    from: 'if (error instanceof SignatureRefused && isFirst) return this.#unread(attempt, error);',
    to: '',
  },
  {
    name: 'whoever was slow still decides',
    file: 'payments/queue-store.ts',
    from: `opaque("l.call IS NULL OR (w.stage = 'submit' AND w.polls = l.call)")`,
    to: `opaque('true')`,
  },
  {
    name: 'a no is not heeded',
    file: 'payments/attempt.ts',
    from: 'if (standing.stopped_by !== null) return standing.stopped_by;',
    to: 'if (standing.stopped_by !== null) return null;',
  },
  {
    name: 'an order is repeated whatever has happened since the first',
    file: 'payments/attempt.ts',
    from: 'whyStopped(standing) === null &&',
    to: '(standing.may_be_sent || whyStopped(standing) === null) &&',
    days: 10,
  },
  {
    name: 'an order without an answer was not sent',
    file: 'payments/send.ts',
    from: 'const neverLeft = error instanceof BankUnavailable && error.notSent;',
    to: 'const neverLeft = error instanceof BankUnavailable;',
  },
  {
    name: 'a transfer that was asked for again has another key',
    file: 'payments/transfer.ts',
    from:
      'const keyOf = (row: TransferRow): string => `$' + '{row.payment_id}-m$' + '{row.polls}`;',
    to:
      'let asked = 0;\nconst keyOf = (row: TransferRow): string => `$' +
      '{row.payment_id}-m$' +
      '{asked++}`;',
  },
  {
    name: 'an event is appended without its deliveries',
    file: 'webhooks/fan-out.ts',
    from: 'deliveries.map((one) => (sent.has(one) ? { ...one, dueAt } : one));',
    to: 'deliveries.filter((one) => sent.has(one)).map((one) => ({ ...one, dueAt }));',
  },
  {
    name: 'a settlement is made of what was counted before',
    file: 'payments/settling-store.ts',
    from: `SELECT coalesce(sum(amount_pence), 0)::bigint AS gross`,
    to: `SELECT coalesce(max(amount_pence), 0)::bigint AS gross`,
  },
  {
    name: 'what is collected is never settled',
    file: 'payments/payment-store.ts',
    from: 'insertToSettle(work.tx, done, settleAt)',
    to: 'void [insertToSettle, settleAt]',
  },
  {
    name: 'a failure is not told',
    file: 'payments/states.ts',
    from: `'failed for good, or stopped', 'collection.failed'`,
    to: `'failed for good, or stopped', 'collection.success'`,
  },
  {
    name: 'a consent ends by one look of its bank',
    file: 'consents/look.ts',
    from: `if (doubtedAt === null) return { do: 'doubt' };\n  const isSecond`,
    to: `if (doubtedAt === null) return { do: 'end', reason: look.reason };\n  const isSecond`,
  },
  {
    name: 'a consent that the bank did not delete counts as deleted',
    file: 'consents/stages.ts',
    from: 'return null;\n  } catch (error) {\n    return error;',
    to: 'return null;\n  } catch (error) {\n    return void error ?? null;',
  },
  {
    name: 'a database that was restored opens its payments under other names',
    file: 'payments/open.ts',
    from: 'paymentIdOf(platform.vault, { merchantId, scheduleId, dueDate })',
    to: `(void paymentIdOf, platform.ids.next('pay', dueDate))`,
  },
  {
    name: 'a database that was restored opens its settlements under other names',
    file: 'settlements/opening.ts',
    from: 'settlementIdOf(deps.platform.vault, of)',
    to: `(void settlementIdOf, deps.platform.ids.next('set', now))`,
    days: 40,
  },
  {
    name: 'a claim on a bank stays when its money has come',
    file: 'payments/paid.ts',
    from: 'debit: isClaimed ? DUE_FROM_BANK : OUTSIDE,',
    to: 'debit: isClaimed && false ? DUE_FROM_BANK : OUTSIDE,',
  },
  {
    name: 'money that nobody awaits is not written down',
    file: 'payments/pay-ins.ts',
    from: 'return putOnList(work, notice, allocation, candidates);',
    to: 'return void putOnList;',
  },
  {
    name: 'an operator cannot end a payment whose debit the bank gave back',
    file: 'payments/operator/waiting.ts',
    from: `if (outcome === 'credited' || isDebited(bankStatus) || hasEvidence) return null;`,
    to: `if (outcome === 'credited' || (isDebited(bankStatus) && hasEvidence && false)) return null;`,
  },
  {
    name: 'a bank that is silent takes back its word that the customer has paid',
    file: 'payments/track.ts',
    from: `|| isDebited(standing.bank_status ?? '')`,
    to: '',
    days: 40,
  },
  {
    name: 'a pay-out that comes back leaves its settlement as it is',
    file: 'app/notifications.ts',
    from: `if (await isReturnBooked(tx, back)) return true;`,
    to: `if (notice.kind === 'returned') return true;`,
    days: 20,
  },
  {
    name: 'a merchant refunds with the money that covers what it owes',
    file: 'settlements/available.ts',
    from: 'pence: balancePence - (await sumOwedInWallet(tx, merchantId)),',
    to: 'pence: balancePence,',
    days: 40,
  },
  {
    name: 'a pay-in that is recalled is owed by nobody',
    file: 'app/notifications.ts',
    from: `if (notice.kind === 'recalled') await`,
    to: `if (notice.kind === 'recalled' && false) await`,
  },
  {
    name: 'what a merchant owes is paid out to it',
    file: 'settlements/opening.ts',
    from: 'const carriedPence = await sumOwed(tx, merchantId);',
    to: 'const carriedPence = 0 * (await sumOwed(tx, merchantId));',
  },
  {
    name: 'fees are netted and never transferred',
    file: 'settlements/opening.ts',
    from: 'if (feesPence > 0) await insertFeeTransfer(',
    to: 'if (feesPence < 0) await insertFeeTransfer(',
  },
  {
    name: 'fees are taken of the payment and not booked',
    file: 'payments/transfer.ts',
    from: 'if (fee === null) return [move];',
    to: 'if (fee === null || Number(fee) > 0) return [move];',
  },
  {
    name: 'a no does not stop what was asked for by hand',
    file: 'payments/queue-store.ts',
    from: `opaque("w.stage IN ('wait', 'submit', 'track')")`,
    to: `opaque("NOT w.manual AND w.stage IN ('wait', 'submit', 'track')")`,
    days: 30,
  },
  {
    name: 'an order is dated by the clock of its process',
    file: 'payments/order-store.ts',
    from: 'momentIn(clock, tx),',
    to: '(void momentIn, Promise.resolve(clock.now())),',
  },
  {
    // A retry by hand is checked when it is asked for and when it is sent.
    name: 'a retry by hand takes the room of the coming payments',
    file: 'payments/limits/carried-over.ts',
    from: 'if (retryRefusal(params, { at, amountPence }, used, toCome) === null) return null;',
    to: 'if (true || retryRefusal(params, { at, amountPence }, used, toCome) === null) return null;',
    days: 20,
  },
  {
    name: 'a payment that an outage carried over takes the room of the next one',
    file: 'payments/checks.ts',
    from: 'if (reason !== null)',
    to: 'if (reason !== null && false)',
    days: 45,
  },
  {
    name: 'a failure without a retry is told without its reason',
    file: 'payments/events.ts',
    from: 'no_retry_reason: noRetryReason,',
    to: 'no_retry_reason: null,',
  },
  {
    name: 'a paid attempt keeps the status that was seen before its money came',
    file: 'payments/paid.ts',
    from: 'await readPaid(tx, now, paid.filter(isUnread));',
    to: 'void readPaid;',
  },
  {
    name: 'limits that a customer lowers at the bank are not read back',
    file: 'consents/looks.ts',
    from: 'await storeLimits(tx, clock.now(), consent, after);',
    to: 'void storeLimits;',
  },
  {
    name: 'new orders go on while a consent waits for its customer',
    file: 'payments/order-store.ts',
    from: `'(suspended_at IS NOT NULL OR confirm_asked_at IS NOT NULL)'`,
    to: `'(suspended_at IS NULL AND false)'`,
  },
  {
    name: 'orders go on while they are held',
    file: 'payments/order-store.ts',
    from: '!held.has(row.payment_id) && mayOrder(',
    to: 'mayOrder(',
  },
  {
    name: 'pay-outs go on while they are held',
    file: 'settlements/held-store.ts',
    from: `held.has(id) ? 'waiting' : 'going'`,
    to: `held.has(id) && false ? 'waiting' : 'going'`,
    days: 30,
  },
];
