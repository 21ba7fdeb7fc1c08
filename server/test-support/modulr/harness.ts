import type { FastifyInstance } from 'fastify';
import type { Bank } from '../../src/banks/bank.ts';
import { type Issuer, IssuerUnavailable } from '../../src/wallets/issuer.ts';
import type { ModulrIssuer } from '../../src/wallets/modulr/issuer.ts';
import { type Harness, openHarness } from '../harness.ts';
import { testServer } from '../slices/platform.ts';
import { openModulr } from './bench.ts';
import type { FakeModulr, SentNotice } from './fake-modulr.ts';

/** The core of the service with Modulr as its issuer: over HTTP to the fake, and back through the notifications' door. */
export interface ModulrHarness {
  h: Harness;
  fake: FakeModulr;
  modulr: ModulrIssuer;
  /** Moves the clock, and lets Modulr end what is due and notify us of it, minute by minute or in larger steps. */
  pass(to: string | Temporal.Instant, step?: Temporal.DurationLike): Promise<void>;
  /** Stops notifications from arriving. */
  mute: boolean;
  /** Delivers a notification; returns the status of the answer. */
  deliver(notice: SentNotice): Promise<number>;
  close(): Promise<void>;
}

/** `bank` opens a bank that is reached through the fake too; absent: a bank in memory. */
export async function openModulrHarness(
  start = '2026-01-05T09:30:00Z',
  bank?: (baseUrl: string, now: () => Temporal.Instant) => Bank,
): Promise<ModulrHarness> {
  let h: Harness | null = null;
  const now = (): Temporal.Instant => h?.clock.at ?? Temporal.Instant.from(start);
  const { fake, issuer, baseUrl, close } = await openModulr(now);
  const atModulr = bank?.(baseUrl, now);
  const waiting: SentNotice[] = [];
  fake.onSent = (notice) => waiting.push(notice);
  h = await openHarness(
    start,
    {},
    {
      issuer: (): Issuer => issuer,
      ...(atModulr && { bank: () => atModulr }),
    },
  );
  payInAtModulr(h, fake);
  const door: FastifyInstance = await testServer(h.platform, {
    routes: [],
    plain: (app) => {
      for (const routes of h?.service.notifications ?? [])
        void app.register(async (s) => routes(s));
    },
  });
  const deliver = async ({ headers, raw }: SentNotice): Promise<number> => {
    const answer = await door.inject({
      method: 'POST',
      url: '/notifications/issuer',
      headers: { ...headers, 'content-type': 'application/json' },
      payload: raw,
    });
    return answer.statusCode;
  };
  const opened = h;
  /** A stage that could not reach Modulr is due again, as in the engine that runs. */
  const go = (to: Temporal.Instant): Promise<void> =>
    opened.runUntil(to).catch((error: unknown) => {
      if (!(error instanceof IssuerUnavailable)) throw error;
    });
  const harness: ModulrHarness = {
    h,
    fake,
    modulr: issuer,
    mute: false,
    deliver,
    async pass(to, step = { minutes: 1 }) {
      const end = Temporal.Instant.from(to.toString());
      while (Temporal.Instant.compare(opened.clock.at, end) < 0) {
        const next = opened.clock.at.add(step);
        await go(Temporal.Instant.compare(next, end) < 0 ? next : end);
        fake.books.settle();
        for (const notice of waiting.splice(0)) if (!harness.mute) await deliver(notice);
        await go(opened.clock.at);
      }
    },
    async close() {
      await door.close();
      await opened.close();
      await close();
    },
  };
  return harness;
}

/** The bank's payments arrive at Modulr. */
function payInAtModulr({ issuer }: Harness, fake: FakeModulr): void {
  const payer = { name: 'Ada Moss', sortCode: '040004', accountNumber: '70872490' };
  issuer.payIn = ({ creditor, amountPence }) => {
    const account = [...fake.books.accounts.values()].find((a) => a.accountNumber === creditor);
    if (account === undefined) throw new Error('money for nobody');
    fake.books.credit(account, amountPence, { type: 'PI_FAST', payer });
    return {} as ReturnType<typeof issuer.payIn>; // the fake bank does not look at it
  };
}
