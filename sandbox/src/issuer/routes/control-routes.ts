import type { FastifyInstance } from 'fastify';
import { isoInstant, realNow } from '../../clock.ts';
import { checkBooks, openBooks } from '../books.ts';
import { IssuerError } from '../errors.ts';
import { exactly, parseBody } from '../http.ts';
import type { Issuer } from '../issuer.ts';
import { MODES, modesOn, readModes, setModes } from '../modes.ts';
import { listMovements, movementView } from '../movements.ts';
import { TABLES } from '../schema.ts';
import { secretsEqual } from '../signature.ts';
import { listWallets, walletView } from '../wallets.ts';

/** The time of the sandbox clock, and whether it runs on in real time. */
interface ClockSetting {
  now: string;
  running: boolean;
}

const MAX_MOVEMENTS = 10_000;

/** Registers the sandbox owner's endpoints: clock, books and reset. */
export async function controlRoutes(server: FastifyInstance, issuer: Issuer): Promise<void> {
  const { store, clock, timekeeper, config } = issuer;
  server.addHook('preValidation', async (request) => {
    const given = String(request.headers['x-sandbox-secret'] ?? '');
    if (!secretsEqual(given, config.control_secret)) {
      throw new IssuerError(401, 'unauthorised', 'x-sandbox-secret does not match');
    }
    await parseBody(request);
  });
  const body = exactly({
    now: { type: 'string', format: 'date-time' },
    running: { type: 'boolean' },
  });
  server.put<{ Body: ClockSetting }>('/clock', { schema: { body } }, async (request) => {
    const now = instantOf(request.body.now);
    const due = await timekeeper.advance(now, request.body.running);
    return { next_due: due && isoInstant(due) };
  });
  server.get('/clock', async () => ({
    now: isoInstant(clock.now()),
    running: clock.isRunning(),
  }));
  server.get('/wallets', async () => {
    const { total, accountsOutOfStep } = checkBooks(store);
    const books = { in_order: total === 0 && accountsOutOfStep.length === 0, total };
    return { wallets: listWallets(store).map(walletView), books };
  });
  server.get('/movements', async () => ({
    movements: listMovements(store, { after: 0, limit: MAX_MOVEMENTS }).map(movementView),
  }));
  modeRoutes(server, issuer);
  server.post<{ Body: Partial<ClockSetting> | undefined }>('/reset', async (request) => {
    const { now, running = now === undefined } = request.body ?? {};
    const start = now === undefined ? realNow() : instantOf(now);
    reset(issuer);
    clock.set(start, running === true);
    return { reset: true };
  });
}

function modeRoutes(server: FastifyInstance, { store }: Issuer): void {
  const view = () => ({ modes: modesOn(store), known: MODES });
  const modes = { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 64 } };
  server.get('/modes', async () => view());
  server.put<{ Body: { modes: string[] } }>(
    '/modes',
    { schema: { body: exactly({ modes }) } },
    async (request) => {
      setModes(store, readModes(request.body.modes));
      return view();
    },
  );
}

function instantOf(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new IssuerError(400, 'invalid_request', 'now must be an instant in ISO 8601');
  }
}

/** Empties the books. */
function reset({ store, deliverer }: Issuer): void {
  store.transaction(() => {
    for (const table of TABLES) store.run(`DELETE FROM ${table}`);
    openBooks(store);
  });
  deliverer.forget();
}
