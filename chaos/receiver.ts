import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TlsOptions } from 'node:tls';
import { verifyWebhook } from '../sdk/src/index.ts';
import type { Chance } from '../simulation/chance.ts';
import type { WorldClock } from './world-clock.ts';

/** An event as the merchant knows it, and how often it was received. */
export interface ReceivedEvent {
  kind: string;
  data: Record<string, unknown>;
  times: number;
}

/** The chance that an event is recorded but not acknowledged. */
const LIKELY_SILENT = 0.02;
/** The chance that the receiver responds with an error, and records nothing. */
const LIKELY_BROKEN = 0.02;

/** The merchant's receiver: records every webhook whose signature is valid by the merchant's own clock. */
export class Receiver {
  readonly events = new Map<string, ReceivedEvent>();
  /** Why webhooks were refused, and how often: a sender with a wrong clock is one reason. */
  readonly refused = new Map<string, number>();
  /** Events whose body changed between deliveries. */
  readonly changed: string[] = [];
  /** Events first received while the database was writing what it would lose. */
  readonly forgotten = new Set<string>();
  isForgotten = false;
  isCalm = false;
  secret: string | null = null;
  #count = 0;
  readonly #server: Server;
  readonly #clock: WorldClock;
  readonly #chance: Chance;

  private constructor(tls: TlsOptions, clock: WorldClock, chance: Chance) {
    this.#clock = clock;
    this.#chance = chance;
    this.#server = createServer(tls, async (request, response) => {
      try {
        response.writeHead(await this.#take(await text(request), request.headers)).end();
      } catch {
        response.destroy();
      }
    });
  }

  static async open(tls: TlsOptions, clock: WorldClock, chance: Chance): Promise<Receiver> {
    const receiver = new Receiver(tls, clock, chance);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Drops the events that the database has lost, given the ids that it knows; returns how many. */
  forget(known: ReadonlySet<string>): number {
    const lost = [...this.forgotten].filter((id) => !known.has(id));
    for (const id of lost) this.events.delete(id);
    return lost.length;
  }

  /** Why webhooks were refused, but for their age: where the clock is moved, what is on its way is old, and comes again. */
  get faults(): string[] {
    return [...this.refused.keys()].filter((why) => !why.includes('timestamp is older'));
  }

  /** Returns the events of one kind, by id. */
  of(kind: string): [string, ReceivedEvent][] {
    return [...this.events].filter(([, event]) => event.kind === kind);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(payload: string, headers: Record<string, string | string[] | undefined>) {
    const n = this.#count++;
    if (this.secret === null) return 503;
    if (!this.isCalm && this.#chance.happens(LIKELY_BROKEN, 'receiver broken', n)) return 500;
    const now = new Date(this.#clock.now().epochMilliseconds);
    try {
      const event = await verifyWebhook({ payload, headers, secret: this.secret, now });
      this.#note(event.id, event.event, event.data as unknown as Record<string, unknown>);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.refused.set(why, (this.refused.get(why) ?? 0) + 1);
      return 400;
    }
    if (!this.isCalm && this.#chance.happens(LIKELY_SILENT, 'receiver silent', n))
      throw new Error('no answer');
    return 200;
  }

  #note(id: string, kind: string, data: Record<string, unknown>): void {
    const known = this.events.get(id);
    if (known === undefined) {
      this.events.set(id, { kind, data, times: 1 });
      if (this.isForgotten) this.forgotten.add(id);
    } else {
      known.times++;
      if (JSON.stringify(known.data) !== JSON.stringify(data)) this.changed.push(id);
    }
  }
}
