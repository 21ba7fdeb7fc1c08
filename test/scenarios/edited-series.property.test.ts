import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isBusinessDay } from '../../server/src/platform/time/calendar.ts';
import { changeOccurrence } from '../../server/src/schedules/change/change-occurrence.ts';
import { showUpcoming } from '../../server/src/schedules/change/upcoming.ts';
import { assertLaws, eventsOf, paymentsOf } from '../../server/test-support/books.ts';
import { oneForAll } from '../../server/test-support/opened.ts';

const { h } = oneForAll(async () => undefined, '2026-03-02T08:00:00Z');

const LONDON = 'Europe/London';
const skip = true as const;
const LEFT_OUT = { skip };
const NINE = Temporal.PlainTime.from('09:00');
const gbp = (value: number) => ({ value, currency: 'GBP' });

type Policy = 'same' | 'next' | 'previous';
interface Series {
  type: 'daily' | 'weekly' | 'monthly';
  interval: number;
}
type Edit =
  | { do: 'amount'; pence: number }
  | { do: 'policy'; policy: Policy }
  | { do: 'pause' | 'resume' | 'skip' | 'describe' };

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant('amount' as const), pence: fc.integer({ min: 100, max: 500 }) }),
  fc.record({
    do: fc.constant('policy' as const),
    policy: fc.constantFrom<Policy>('same', 'next', 'previous'),
  }),
  fc.record({ do: fc.constantFrom('pause' as const, 'resume', 'resume', 'skip', 'describe') }),
);
const steps = fc.array(fc.record({ edit: anEdit, hours: fc.integer({ min: 1, max: 130 }) }), {
  minLength: 6,
  maxLength: 14,
});
const aSeries: fc.Arbitrary<Series> = fc.record({
  type: fc.constantFrom('daily' as const, 'weekly', 'weekly', 'monthly'),
  interval: fc.constantFrom(1, 1, 2),
});

/** Walks from a day, a day at a time, to one on which banks are open. */
function workingDay(date: Temporal.PlainDate, step: 1 | -1): Temporal.PlainDate {
  let day = date;
  while (!isBusinessDay(day)) day = day.add({ days: step });
  return day;
}

/** What ought to happen, by walking the calendar day by day; it shares nothing with the product but the bank holidays. */
class Book {
  readonly opened: string[] = [];
  readonly skipped: string[] = [];
  readonly #skips = new Set<string>();
  readonly #first: Temporal.PlainDate;
  readonly #series: Series;
  /** The next date that nothing has happened to. */
  #next: Temporal.PlainDate;
  policy: Policy = 'same';
  isActive = true;

  constructor(first: Temporal.PlainDate, series: Series) {
    this.#first = first;
    this.#next = first;
    this.#series = series;
  }

  #isOn(date: Temporal.PlainDate): boolean {
    const { type, interval } = this.#series;
    const days = this.#first.until(date, { largestUnit: 'days' }).days;
    if (type !== 'monthly') return days % (type === 'daily' ? interval : 7 * interval) === 0;
    const months = (date.year - this.#first.year) * 12 + date.month - this.#first.month;
    return months % interval === 0 && date.day === Math.min(this.#first.day, date.daysInMonth);
  }

  #momentOf(date: Temporal.PlainDate): Temporal.Instant {
    return this.#dayOf(date).toZonedDateTime({ timeZone: LONDON, plainTime: NINE }).toInstant();
  }

  /** None moves before the first, which is the start date: that one goes the other way. */
  #dayOf(date: Temporal.PlainDate): Temporal.PlainDate {
    if (this.policy === 'same') return date;
    const day = workingDay(date, this.policy === 'next' ? 1 : -1);
    return Temporal.PlainDate.compare(day, this.#first) < 0 ? workingDay(date, 1) : day;
  }

  #advance(): void {
    do this.#next = this.#next.add({ days: 1 });
    while (!this.#isOn(this.#next));
  }

  /** The moment of the next occurrence. */
  get due(): Temporal.Instant {
    return this.#momentOf(this.#next);
  }

  skipNext(): void {
    this.#skips.add(this.due.toString());
  }

  /** Everything that has fallen due by now happens, or lay in a pause. */
  passUntil(now: Temporal.Instant): void {
    for (; Temporal.Instant.compare(this.due, now) <= 0; this.#advance()) {
      const due = this.due.toString();
      if (this.isActive) (this.#skips.has(due) ? this.skipped : this.opened).push(due);
    }
  }
}

const upcomingOf = async (id: string): Promise<string[]> => {
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  const { data } = await h.db.read((tx) => showUpcoming({ ...asked, tx }, id, 4));
  return data.map(({ due_date }) => due_date);
};

async function make(edit: Edit, id: string, book: Book, isDaily: boolean): Promise<void> {
  if (edit.do === 'amount') await h.update(id, { amount: gbp(edit.pence) });
  if (edit.do === 'describe') await h.update(id, { description: 'Another' });
  if (edit.do === 'policy' && !isDaily) {
    await h.update(id, { non_working_day: edit.policy });
    book.policy = edit.policy;
  }
  if (edit.do === 'pause') await h.update(id, { status: 'paused' });
  if (edit.do === 'resume') await h.update(id, { status: 'active' });
  if (edit.do === 'pause' || edit.do === 'resume') book.isActive = edit.do === 'resume';
  if (edit.do !== 'skip' || !book.isActive) return;
  const asked = { now: h.clock.at, merchantId: h.merchantId };
  await h.db.transaction((tx) =>
    changeOccurrence(h.service.schedules, { ...asked, tx }, id, book.due.toString(), LEFT_OUT),
  );
  book.skipNext();
}

test('whatever is edited and whenever, each occurrence is opened once, skipped and told, or lay in a pause', async () => {
  let customers = 0;
  const oneLife = fc.asyncProperty(aSeries, steps, async (series, edits) => {
    customers += 1;
    const phone = `+4477009001${String(customers).padStart(2, '0')}`;
    const first = h.clock.at.toZonedDateTimeISO(LONDON).toPlainDate().add({ days: 3 });
    const start = first.toZonedDateTime({ timeZone: LONDON, plainTime: NINE }).toInstant();
    const { id } = await h.agreed({
      customer: { type: 'phone', value: phone },
      frequency: series,
      start_date: start.toString(),
      amount: gbp(500),
      limits: { per_payment: gbp(1000), per_period: gbp(20_000) },
    });
    const book = new Book(first, series);
    for (const { edit, hours } of edits) {
      await h.runUntil(h.clock.at.add({ hours, minutes: 7 }));
      book.passUntil(h.clock.at);
      const before = await upcomingOf(id);
      const policy = book.policy;
      await make(edit, id, book, series.type === 'daily');
      if (policy === book.policy) assert.deepEqual(await upcomingOf(id), before);
      else await h.runUntil(h.clock.at);
      book.passUntil(h.clock.at); // a day that moves back may have passed
      const [next] = await upcomingOf(id);
      assert.equal(next && Temporal.Instant.from(next).toString(), book.due.toString());
    }
    await h.runUntil(h.clock.at.add({ hours: 24 * 20 }));
    book.passUntil(h.clock.at);
    const times = (found: unknown[]): string[] =>
      found.map((at) => Temporal.Instant.from(String(at)).toString()).sort();
    const payments = await paymentsOf(h, id);
    const skips = (await eventsOf(h, id)).filter(({ kind }) => kind === 'collection.skipped');
    assert.deepEqual(times(payments.map((one) => one.due_date)), book.opened);
    assert.deepEqual(times(skips.map(({ data }) => data.due_date)), book.skipped);
    await assertLaws(h);
    await h.update(id, { status: 'cancelled' });
  });
  await fc.assert(oneLife, { numRuns: 6, endOnFailure: true });
});
