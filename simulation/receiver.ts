import { whyNot } from '../server/src/webhooks/answer.ts';
import type { Answer, Outgoing, Sender } from '../server/src/webhooks/sender.ts';
import type { Troubles } from './troubles.ts';

/** The merchants' receivers, in the place of the network: they answer, fail, hang for the whole time-out, and return. */
export class Receivers implements Sender {
  readonly #troubles: Troubles;
  /** What was acknowledged: `<url> <event id>`. */
  readonly acknowledged = new Set<string>();
  /** What was refused after it had been acknowledged: whoever was told so may have died before writing it down. */
  readonly refusedAgain = new Set<string>();
  /** What was told to be left out: `<schedule> <due>`, in milliseconds. */
  readonly skipped = new Set<string>();
  /** What is acknowledged now, the database forgets: it counts when it is sent again. */
  isForgotten = false;

  constructor(troubles: Troubles) {
    this.#troubles = troubles;
  }

  async send({ url, headers, body }: Outgoing): Promise<Answer> {
    const eventId = headers['webhook-id'] ?? '';
    const call = this.#troubles.countOf(url, eventId);
    const answer = this.#answer(url, eventId, call);
    const { history } = this.#troubles;
    history.note('receiver', url, eventId, call, answer.error ?? 'acknowledged', body.length);
    const name = `${url} ${eventId}`;
    if (answer.error === null && !this.isForgotten) this.acknowledged.add(name);
    if (answer.error !== null && this.acknowledged.has(name)) this.refusedAgain.add(name);
    if (body.includes('collection.skipped')) this.#noteSkipped(body);
    return answer;
  }

  #answer(url: string, eventId: string, call: number): Answer {
    const refused = (): Answer => ({
      status: null,
      body: null,
      error: 'connection refused',
      durationMs: 1,
    });
    if (this.#troubles.isDown(url)) return refused();
    if (this.#troubles.strikes('receiverHangs', url, eventId, call))
      return { ...refused(), error: 'time-out after 15 s', durationMs: 15_000 };
    const isOff = this.#troubles.strikes('receiverFails', url, eventId, call);
    const status = isOff ? this.#troubles.chance.pick([500, 503, 404, 302], url, eventId) : 200;
    return { status, body: 'ok', error: whyNot(status), durationMs: 20 };
  }

  #noteSkipped(body: string): void {
    const { data } = JSON.parse(body) as { data: { schedule_id: string; due_date: string } };
    const due = Temporal.Instant.from(data.due_date).epochMilliseconds;
    this.skipped.add(`${data.schedule_id} ${due}`);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
