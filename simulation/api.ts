import type { ApiRequest } from './processes.ts';
import type { World } from './world.ts';

/** Who asks, and how it is called in the history. */
export interface ApiCaller {
  n: number;
  merchantId: string;
}

const MAX_TRIES = 5;
const ANSWER_LOST = 0.04;
const FROM_SERVER_ERRORS = 500;

/**
 * What a merchant's program asks of the API, each request under an `Idempotency-Key` of its own: where the service died over
 * it, or the answer was lost on the way, it asks again, and must get the answer of the first time.
 */
export class Api {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The body of the answer; null where the API refused, which is an answer too. */
  async ask(
    asker: ApiCaller,
    what: string,
    request: Pick<ApiRequest, 'method' | 'path' | 'body'>,
  ): Promise<unknown> {
    const { history, troubles } = this.#world;
    const name = `${what.replaceAll(' ', '-')}-${asker.n}`;
    const key = `${name}-${troubles.countOf('api', name)}`;
    const { status, body } = await this.#persist({
      ...request,
      merchantId: asker.merchantId,
      key,
    });
    const answer: unknown = JSON.parse(body);
    if (status === 200) {
      history.count(`merchant: ${what}`);
      return answer;
    }
    const { code } = (answer as { error: { code: string } }).error;
    history.note('merchant', asker.n, what, code);
    history.count(`refused: ${code}`);
    return null;
  }

  async #persist(request: ApiRequest): Promise<{ status: number; body: string }> {
    const { history, processes, chance, troubles } = this.#world;
    let first: string | null = null;
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const answer = await processes.request(request);
      if (answer === null) continue;
      const { status, body, isReplayed } = answer;
      if (status >= FROM_SERVER_ERRORS) throw new Error(`${request.key}: ${status} ${body}`);
      if (first !== null && (first !== body || !isReplayed))
        throw new Error(`${request.key} was answered ${first}, and then ${body}`);
      const isLost = !troubles.isCalm && chance.happens(ANSWER_LOST, 'lost', request.key, tries);
      if (!isLost) return { status, body };
      history.count('answer to a merchant lost');
      first = body;
    }
    throw new Error(`${request.key} is never answered`);
  }
}
