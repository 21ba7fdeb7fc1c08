import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CustomerInput, Recollect, type Schedule } from '@recollect/sdk';
import {
  headerOf,
  type MailServer,
  plainTextOf,
  startMailServer,
} from '../server/test-support/mail-server.ts';
import { turnOnEmail } from './owner.ts';
import { portalText } from './portal-text.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type SandboxProcess, startSandbox } from './sandbox-process.ts';
import { Timeline } from './timeline.ts';

/** Plays the whole life of a collection on the sandbox clock, and narrates it. Needs nothing running. */
async function demo(): Promise<void> {
  const started = performance.now();
  const timeline = new Timeline(process.stdout);
  const dataDir = mkdtempSync(join(tmpdir(), 'recollect-demo-'));
  timeline.say('Starting PostgreSQL, the service, the sandbox bank and the e-money issuer …');
  const mail = await startMailServer();
  const sandbox = await startSandbox(dataDir, mail.url);
  const receiver = await startReceiver((line) => timeline.webhook(line));
  try {
    const client = new Recollect({ apiKey: sandbox.apiKey, baseUrl: sandbox.baseUrl });
    const story = new Story(client, receiver, timeline);
    await story.prepare(sandbox);
    const schedule = await story.createAndConsent();
    await story.collect(schedule);
    await story.runShort(schedule, mail);
    await story.declined();
    timeline.say(`Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } finally {
    await receiver.close();
    await sandbox.stop();
    await mail.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const ALEX = { type: 'phone', value: '+447700900123' } as const;
const SAM = {
  type: 'phone',
  value: '+447700900124',
  name: 'Sam Reed',
  email: 'sam@home.example',
} as const;

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

class Story {
  readonly #client: Recollect;
  readonly #receiver: Receiver;
  readonly #timeline: Timeline;

  constructor(client: Recollect, receiver: Receiver, timeline: Timeline) {
    this.#client = client;
    this.#receiver = receiver;
    this.#timeline = timeline;
  }

  async #clock(): Promise<Temporal.Instant> {
    return Temporal.Instant.from((await this.#client.sandbox.clock()).now);
  }

  /** Advances the clock; everything due on the way happens, webhooks and their retries included. */
  async #advance(to: Temporal.Instant): Promise<void> {
    const moment = to.toString({ smallestUnit: 'millisecond' });
    this.#timeline.call('POST', `/sandbox/clock/advance  to ${moment}`);
    const { happened } = await this.#client.sandbox.advance({ to: moment });
    for (const step of happened) this.#timeline.happened(step);
    this.#timeline.at(await this.#clock());
  }

  async #wallets(): Promise<void> {
    const { data } = await this.#client.wallets.list();
    const line = data.map(
      (w) => `${w.customer_id === null ? 'merchant' : 'customer'} ${pounds(w.balance.value)}`,
    );
    this.#timeline.money(line.join('   '));
  }

  async prepare(sandbox: SandboxProcess): Promise<void> {
    this.#timeline.chapter('A merchant gets ready');
    this.#timeline.at(await this.#clock());
    this.#timeline.call('POST', `/api/v1/webhook_endpoints  ${this.#receiver.url}`);
    const endpoint = await this.#client.webhookEndpoints.create({ url: this.#receiver.url });
    this.#receiver.trust(endpoint.secret);
    this.#timeline.note(`secret shown once: ${endpoint.secret.slice(0, 10)}…`);
    await turnOnEmail(sandbox, 'payment_failed');
    this.#timeline.note(
      'In the dashboard an owner turns on emails to customers whose payment failed.',
    );
  }

  async #create(
    description: string,
    startsAt: Temporal.Instant,
    customer: CustomerInput = ALEX,
  ): Promise<Schedule> {
    this.#timeline.call('POST', '/api/v1/schedules  £49.99 every month');
    const schedule = await this.#client.schedules.create({
      amount: { value: 4999, currency: 'GBP' },
      frequency: { type: 'monthly' },
      customer,
      description,
      start_date: startsAt.toString({ smallestUnit: 'millisecond' }),
    });
    this.#timeline.note(
      `${schedule.id} is ${schedule.status}, first collection ${schedule.next_payment_date}`,
    );
    return schedule;
  }

  async #decide(schedule: Schedule, decision: 'grant' | 'deny', account: string): Promise<void> {
    this.#timeline.chapter(
      `The customer opens the link, and ${decision === 'grant' ? 'agrees' : 'declines'} at the bank`,
    );
    for (const line of await portalText(schedule.consent_url ?? '')) this.#timeline.page(line);
    this.#timeline.call(
      'POST',
      `/sandbox/schedules/${schedule.id}/consent  ${decision}, as ${account}`,
    );
    await this.#client.sandbox.consent(schedule.id, { decision, account });
    const { status } = await this.#client.schedules.get(schedule.id);
    this.#timeline.note(`the schedule is ${status}`);
    await this.#wallets();
  }

  async createAndConsent(): Promise<Schedule> {
    this.#timeline.chapter('The merchant creates a schedule');
    const schedule = await this.#create(
      'Broadband, Fernhill 100',
      nextFirstOfMonth(await this.#clock()),
    );
    await this.#decide(schedule, 'grant', 'alex');
    return schedule;
  }

  async collect(schedule: Schedule): Promise<void> {
    this.#timeline.chapter('The first collection falls due');
    const due = Temporal.Instant.from(schedule.next_payment_date ?? '');
    await this.#advance(due.add({ minutes: 5 }));
    await this.#wallets();
    this.#timeline.chapter('The next business day: settlement');
    await this.#advance(due.add({ hours: 24 * 5 }));
    await this.#wallets();
    const { data } = await this.#client.settlements.list();
    for (const s of data)
      this.#timeline.note(
        `settlement ${s.id}: ${pounds(s.amount.value)} ${s.status}, on ${s.settlement_date}`,
      );
  }

  async runShort(first: Schedule, mail: MailServer): Promise<void> {
    this.#timeline.chapter(
      'Another customer, whose wages come on the 2nd: a failure, and a retry that works',
    );
    this.#timeline.call('PUT', '/sandbox/accounts/northbank/sam  £10.00 on the account');
    await this.#client.sandbox.changeAccount('northbank', 'sam', { balance: 1000 });
    const schedule = await this.#create(
      'Broadband, for Sam',
      nextFirstOfMonth(await this.#clock()),
      SAM,
    );
    await this.#decide(schedule, 'grant', 'sam');
    const due = Temporal.Instant.from(schedule.next_payment_date ?? '');
    await this.#advance(due.add({ hours: 26 }));
    this.#showEmails(mail);
    const { data } = await this.#client.schedules.payments(schedule.id);
    for (const payment of data)
      this.#timeline.note(
        `${payment.id} ${payment.status} after ${payment.attempts.length} attempts`,
      );
    this.#timeline.call('PUT', `/api/v1/schedules/${first.id}  paused, then cancelled`);
    await this.#client.schedules.pause(first.id);
    const { status } = await this.#client.schedules.cancel(first.id);
    this.#timeline.note(`the first schedule is ${status}; its consent is deleted at the bank too`);
  }

  /** Shows the emails that customers got. */
  #showEmails({ received }: MailServer): void {
    for (const email of received.filter(({ to }) => to.includes(SAM.email))) {
      this.#timeline.email(`to ${SAM.email}, from ${headerOf(email, 'From')}`);
      this.#timeline.email(headerOf(email, 'Subject'));
      const [body = ''] = plainTextOf(email).split('\n-- \n');
      for (const line of body.split('\n').filter((text) => text !== '')) this.#timeline.email(line);
    }
  }

  async declined(): Promise<void> {
    this.#timeline.chapter('A customer who says no');
    const schedule = await this.#create(
      'Broadband, declined',
      nextFirstOfMonth(await this.#clock()),
    );
    await this.#decide(schedule, 'deny', 'nina');
    await this.#advance((await this.#clock()).add({ minutes: 1 }));
  }
}

/** Returns 09:00 in London on the first of next month. */
function nextFirstOfMonth(now: Temporal.Instant): Temporal.Instant {
  const today = now.toZonedDateTimeISO('Europe/London').toPlainDate();
  return today
    .with({ day: 1 })
    .add({ months: 1 })
    .toZonedDateTime({ timeZone: 'Europe/London', plainTime: '09:00' })
    .toInstant();
}

await demo();
