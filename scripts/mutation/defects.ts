/** A mistake that a tired programmer might make, and that our simulation must detect, or a test. */
export interface Defect {
  name: string;
  /** Relative to the server's sources. */
  file: string;
  from: string;
  to: string;
  /** How many days a seed needs to hit it, if more than usual. */
  days?: number;
  /** Only transactions that overlap can hit it: it is planted under the simulation of two processes. */
  overlaps?: true;
  /** The test that must fail, from the root: for what the history of a seed need not contain. */
  test?: string;
}

/** Each of them loses money, takes it twice, or fails to report it. */
export const DEFECTS: readonly Defect[] = [
  {
    name: 'each call for a payment has a key of its own',
    file: 'payments/stages/prepare.ts',
    from: 'idempotencyKey: name,',
    to: `idempotencyKey: \`\${name}-\${attempt.polls}\`,`,
  },
  {
    name: 'a bank that does not answer has not taken the money',
    file: 'payments/stages/send.ts',
    from: 'return neverLeft ? notSent(attempt.polls, this.#budget.restsUntil) : unknown;',
    to: `return ended('technical', 'No answer.', attempt.polls);`,
  },
  {
    name: 'a bank that does not take our signature has refused the payment',
    file: 'payments/stages/send.ts',
    from: 'if (error instanceof SignatureRefused) return this.#unread(attempt, error);',
    to: '',
  },
  {
    name: 'whoever was slow still decides',
    file: 'payments/books/queue-store.ts',
    from: `opaque("l.call IS NULL OR (w.stage = 'submit' AND w.polls = l.call)")`,
    to: `opaque('true')`,
  },
  {
    name: 'a no is not heeded',
    file: 'payments/payment/attempt.ts',
    from: 'if (standing.stoppedBy !== null) return standing.stoppedBy;',
    to: 'if (standing.stoppedBy !== null) return null;',
  },
  {
    name: 'an order is repeated whatever has happened since the first',
    file: 'payments/payment/attempt.ts',
    from: 'whyStopped(standing) === null &&',
    to: '(standing.mayBeSent || whyStopped(standing) === null) &&',
    days: 10,
  },
  {
    name: 'an order without an answer was not sent',
    file: 'payments/stages/send.ts',
    from: 'const neverLeft = error instanceof BankUnavailable && error.notSent;',
    to: 'const neverLeft = error instanceof BankUnavailable;',
  },
  {
    name: 'a transfer that was asked for again has another key',
    file: 'payments/stages/transfer.ts',
    from: '-m$' + '{row.transferKeysUsed + row.polls}`;',
    to: '-m$' + '{row.transferKeysUsed + asked++}`;\nlet asked = 0;',
  },
  {
    name: 'an event is appended without its deliveries',
    file: 'webhooks/fan-out.ts',
    from: 'deliveries.map((one) => (sent.has(one) ? { ...one, dueAt } : one));',
    to: 'deliveries.filter((one) => sent.has(one)).map((one) => ({ ...one, dueAt }));',
  },
  {
    name: 'a settlement is made of what was counted before',
    file: 'payments/books/settling-store.ts',
    from: `SELECT coalesce(sum(amount_pence), 0)::bigint AS gross`,
    to: `SELECT coalesce(max(amount_pence), 0)::bigint AS gross`,
  },
  {
    name: 'what is collected is never settled',
    file: 'payments/books/payment-store.ts',
    from: 'insertToSettle(work.tx, done, settleAt)',
    to: 'void [insertToSettle, settleAt]',
  },
  {
    name: 'a failure is not told',
    file: 'payments/payment/states.ts',
    from: `'failed for good, or stopped', 'collection.failed'`,
    to: `'failed for good, or stopped', 'collection.success'`,
  },
  {
    name: 'a consent ends by one look of its bank',
    file: 'consents/check.ts',
    from: `if (doubtedAt === null) return { do: 'doubt' };\n  const isSecond`,
    to: `if (doubtedAt === null) return { do: 'end', reason: check.reason };\n  const isSecond`,
  },
  {
    name: 'a consent that the bank did not delete counts as deleted',
    file: 'consents/stages.ts',
    from: 'return null;\n  } catch (error) {\n    return error;',
    to: 'return null;\n  } catch (error) {\n    return void error ?? null;',
  },
  {
    name: 'a database that was restored opens its payments under other names',
    file: 'payments/stages/open.ts',
    from: 'paymentIdOf(platform.vault, { merchantId, scheduleId, dueDate })',
    to: `(void paymentIdOf, platform.ids.next('pay', dueDate))`,
  },
  {
    name: 'a database that was restored opens its settlements under other names',
    file: 'settlements/opening.ts',
    from: 'settlementIdOf(vault, of)',
    to: `(void settlementIdOf, deps.platform.ids.next('set', now))`,
    days: 40,
  },
  {
    name: 'a claim on a bank stays when its money has come',
    file: 'payments/outcomes/paid.ts',
    from: 'debit: isClaimed ? DUE_FROM_BANK : OUTSIDE,',
    to: 'debit: isClaimed && false ? DUE_FROM_BANK : OUTSIDE,',
  },
  {
    name: 'money that nobody awaits is not written down',
    file: 'payments/pay-ins/pay-ins.ts',
    from: 'return addToUnallocated(work, notice, allocation, candidates);',
    to: 'return void addToUnallocated;',
  },
  {
    name: 'an operator cannot end a payment whose debit the bank gave back',
    file: 'payments/payment/waiting.ts',
    from: `if (outcome === 'credited' || isDebited(bankStatus) || hasEvidence) return null;`,
    to: `if (outcome === 'credited' || (isDebited(bankStatus) && hasEvidence && false)) return null;`,
  },
  {
    name: 'a bank that is silent takes back its word that the customer has paid',
    file: 'payments/stages/track.ts',
    from: `|| isDebited(standing.bankStatus ?? '')`,
    to: '',
    days: 40,
  },
  {
    name: 'a pay-out that comes back leaves its settlement as it is',
    file: 'app/wiring/notifications.ts',
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
    file: 'app/wiring/notifications.ts',
    from: `if (notice.kind === 'recalled') return recordRecall(`,
    to: `if (notice.kind === 'recalled') return true || recordRecall(`,
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
    file: 'payments/stages/transfer.ts',
    from: 'if (fee === null) return [move];',
    to: 'if (fee === null || Number(fee) > 0) return [move];',
  },
  {
    name: 'a no does not stop what was asked for by hand',
    file: 'payments/books/queue-store.ts',
    from: `opaque("w.stage IN ('wait', 'submit', 'track')")`,
    to: `opaque("NOT w.manual AND w.stage IN ('wait', 'submit', 'track')")`,
    days: 30,
  },
  {
    name: 'an order is dated by the clock of its process',
    file: 'payments/books/order-store.ts',
    from: 'momentIn(clock, tx),\n    readAttempts',
    to: '(void momentIn, Promise.resolve(clock.now())),\n    readAttempts',
  },
  {
    // A retry by hand is checked when it is asked for and when it is sent.
    name: 'a retry by hand takes the room of the coming payments',
    file: 'schedules/limits/room.ts',
    from: 'if (refusalBeside(room, { at, amountPence }) === null) return null;',
    to: 'if (true || refusalBeside(room, { at, amountPence }) === null) return null;',
    days: 20,
  },
  {
    name: 'a payment that an outage carried over takes the room of the next one',
    file: 'payments/stages/checks.ts',
    from: 'if (reason !== null)',
    to: 'if (reason !== null && false)',
    days: 45,
  },
  {
    name: 'a failure without a retry is told without its reason',
    file: 'payments/payment/events.ts',
    from: 'no_retry_reason: noRetryReason,',
    to: 'no_retry_reason: null,',
  },
  {
    name: 'a paid attempt keeps the status that was seen before its money came',
    file: 'payments/outcomes/paid.ts',
    from: 'await scheduleReads(tx, now, unread);',
    to: 'void scheduleReads;',
  },
  {
    name: 'limits that a customer lowers at the bank are not read back',
    file: 'consents/checks.ts',
    from: 'await storeLimits(tx, clock.now(), consent, after);',
    to: 'void storeLimits;',
  },
  {
    name: 'new orders go on while a consent waits for its customer',
    file: 'payments/books/order-store.ts',
    from: `'(suspended_at IS NOT NULL OR confirm_asked_at IS NOT NULL)'`,
    to: `'(suspended_at IS NULL AND false)'`,
  },
  {
    name: 'new orders go on at an account that its customer has left',
    file: 'payments/payment/attempt.ts',
    from: '!(standing.isSuspended || standing.movesOn)',
    to: '!standing.isSuspended',
    test: 'test/scenarios/another-account.test.ts',
  },
  {
    name: 'orders go on while they are held',
    file: 'payments/books/order-store.ts',
    from: '!held.has(row.paymentId) && mayOrder(',
    to: 'mayOrder(',
  },
  {
    name: 'pay-outs go on while they are held',
    file: 'settlements/held-store.ts',
    from: `held.has(id) ? 'waiting' : 'going'`,
    to: `held.has(id) && false ? 'waiting' : 'going'`,
    days: 30,
  },
  {
    name: 'an edited schedule leaves out an occurrence',
    file: 'schedules/change/lifecycle.ts',
    from: 'const index = firstIndexSince(series, since);',
    to: 'const index = firstIndexSince(series, since) + (since.index > 0 ? 1 : 0);',
    test: 'test/scenarios/edited-series.test.ts',
  },
  {
    name: 'a pause forgets which occurrences are accounted for',
    file: 'schedules/change/lifecycle.ts',
    from: 'occurrence: isSame ? firstOpen(schedule, live, now) : null };',
    to: 'occurrence: isSame ? null : firstOpen(schedule, live, now) };',
    test: 'test/scenarios/edited-series.test.ts',
  },
  {
    name: 'the first occurrence never moves back to a working day',
    file: 'schedules/terms/occurrences.ts',
    from: 'isBefore(at, series.notBefore ?? series.firstAt)',
    to: 'isBefore(at, series.firstAt)',
    test: 'server/src/schedules/terms/working-day.property.test.ts',
  },
  {
    name: 'collections follow the terms that were asked for last',
    file: 'schedules/books/due-store.ts',
    from: "const LIVE_VERSION = 's.live_version';",
    to: "const LIVE_VERSION = 's.terms_version';",
    test: 'test/scenarios/term-changes.test.ts',
  },
  {
    name: 'a refund goes to whoever paid the first payment of its merchant',
    file: 'refunds/store.ts',
    from: 'WHERE p.merchant_id = $1 AND p.payment_id = $2 LIMIT 1`',
    to: 'WHERE p.merchant_id = $1 AND (p.payment_id = $2 OR true) ORDER BY p.payment_id LIMIT 1`',
  },
  {
    name: 'every schedule takes a penny less',
    file: 'schedules/terms/amounts.ts',
    from: `return amountMode === 'per_occurrence' ? 'amount_not_set' : amountPence;`,
    to: `return amountMode === 'per_occurrence' ? 'amount_not_set' : Math.max(1, amountPence - 1);`,
  },
  {
    name: 'settlements are paid out a business day late',
    file: 'settlements/settlement-day.ts',
    from: 'return { day, payAt: payOutMoment(nextBusinessDay(day)) };',
    to: 'return { day, payAt: payOutMoment(nextBusinessDay(nextBusinessDay(day))) };',
  },
  {
    name: 'collections follow the terms last asked for, not those agreed',
    file: 'schedules/change/update.ts',
    from: 'const changed = await changeSchedule(tx, schedule, change, now);',
    to:
      'const live = schedule.liveVersion === null ? null : terms.version;\n' +
      '  const changed = await changeSchedule(tx, schedule, { ...change, liveVersion: live }, now);',
  },
  {
    name: 'a schedule that is paused and resumed drops its next occurrence',
    file: 'schedules/terms/schedule.ts',
    from: 'return { after: schedule.dueAt === null ? after : null, index: firstOpen(schedule, live, now) };',
    to: 'return { after: null, index: firstOpen(schedule, live, now) + (schedule.dueAt === null ? 1 : 0) };',
  },
  {
    name: 'an order is noted while another is taken back',
    file: 'payments/books/order-store.ts',
    from: '    readLockedWork(tx, rows),',
    to: "    readLockedWork({ ...tx, rows: (sql, ...more) => tx.rows(sql.replace('FOR UPDATE', ''), ...more) }, rows),",
    overlaps: true,
  },
  {
    name: 'a repeat that the bank refused may still be with it',
    file: 'payments/stages/send.ts',
    from: 'return isUnread ? notSent(attempt.polls, this.#budget.restsUntil) : found;',
    to: 'return isUnread ? UNKNOWN : found;',
    overlaps: true,
  },
  {
    name: 'a payment waits for a customer who cannot confirm its consent',
    file: 'payments/payment/attempt.ts',
    from: `return status === 'granted' && (end === null || !isAfter(now, end));`,
    to: 'void [status, end, now];\n  return true;',
    overlaps: true,
  },
];
