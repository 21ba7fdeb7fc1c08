import Type from 'typebox';
import { readMerchant } from '../../merchants/service.ts';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import {
  Described,
  Fields,
  Instant,
  InstantInput,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant, parseInstant } from '../../platform/time/calendar.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { isBefore } from '../../platform/values/instants.ts';
import { beginAdvance, type Target } from '../advance.ts';
import { askToStop } from '../clock.ts';
import { happenedSince } from '../happened.ts';
import { HappeningView } from '../happening.ts';
import { readProgress, readWaiting } from '../progress-store.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';

export const ClockView = NamedObject(
  'SandboxClock',
  {
    now: Described(Instant, 'What time it is in the sandbox.'),
    advancing: Type.Boolean({
      description: 'True: it is being moved forward. False: it runs with real time.',
    }),
    advancing_to: OrNull(Instant, 'To which moment it is being moved. Null: it is not.'),
    waiting_for: Type.Array(Type.String({ examples: ['https://example.com/webhooks'] }), {
      description:
        'The webhook endpoints that have not answered yet, while it is being moved: a slow one holds up everybody’s clock.',
    }),
    last_error: OrNull(
      Type.String(),
      'Why the last move ended before its target. Null: it did not, or was asked to.',
    ),
  },
  'The business time of the sandbox.',
);

const Advance = Fields(
  {
    by: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'How far: an ISO 8601 duration, counted in your time zone, so that months and days keep the time of day. Either this or `to`.',
        examples: ['P1M', 'PT90M'],
      }),
    ),
    to: Type.Optional(
      Described(
        InstantInput,
        'To which moment. ISO 8601 with an offset or Z. Either this or `by`.',
      ),
    ),
    wait: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'False: the response comes at once, with `advancing: true`. Follow the clock, then read its last move.',
      }),
    ),
  },
  'How far the clock is moved: by a duration, or to a moment.',
);

const Advanced = Type.Object(
  {
    from: Described(Instant, 'Where the clock stood before.'),
    to: Described(Instant, 'Where it stands now, or stood when the move ended.'),
    advancing: Type.Boolean({ description: 'True: the move is under way.' }),
    happened: Type.Array(HappeningView, {
      description: 'What happened to you on the way, in order: the last 10,000 entries.',
    }),
    truncated: Type.Boolean({ description: 'More happened than `happened` has.' }),
    stopped: Type.Boolean({
      description:
        'It ended before it reached its target: it was asked to stop, or `error` says why.',
    }),
    error: OrNull(Type.String(), 'What ended it before its target. Null: nothing did.'),
  },
  { title: 'SandboxMoved', description: 'What happened while the clock was moved.' },
);

/** What the routes of the clock do besides answering. */
export interface Moving {
  /** Aborted when the service stops: an advance then ends early. */
  stopping: AbortSignal;
  /** The advances that nobody waits for. */
  underWay: Set<Promise<unknown>>;
}

/** A clock of a new life. */
export const NEVER_MOVED = {
  advancing: false,
  advancing_to: null,
  waiting_for: [],
  last_error: null,
};

/** Returns the clock, and what an advance of it does. */
async function showClock({ clock, platform }: SandboxDeps, merchantId: string) {
  const [progress, waiting] = await platform.db.read((tx) =>
    Promise.all([readProgress(tx), readWaiting(tx, merchantId)]),
  );
  const isUnderWay = progress !== null && progress.reached === null;
  return {
    now: formatInstant(clock.now()),
    advancing: isUnderWay || clock.isHeld(),
    advancing_to: isUnderWay ? formatInstant(progress.to) : null,
    waiting_for: [...waiting.urls, ...Array(waiting.others).fill(OF_OTHERS)],
    last_error: progress?.error ?? null,
  };
}

const OF_OTHERS = 'an endpoint of another merchant';

/** Returns the last advance, and what happened to the merchant in it. Throws 404 where there was none. */
async function showLastMove({ clock, platform }: SandboxDeps, merchantId: string) {
  const { progress, happened, truncated } = await platform.db.read(async (tx) => {
    const progress = orNotFound(await readProgress(tx), 'move of the clock');
    return { progress, ...(await happenedSince(tx, merchantId, progress.from)) };
  });
  const { from, to, reached, error } = progress;
  const end = formatInstant(reached ?? clock.now());
  return {
    from: formatInstant(from),
    to: end,
    advancing: reached === null,
    happened: happened.filter(({ at }) => at <= end), // the clock has run on since
    truncated,
    stopped: reached !== null && isBefore(reached, to),
    error,
  };
}

/** Begins to move the clock; `waits`: returns when it has ended. */
async function moveClock(
  deps: SandboxDeps,
  { stopping, underWay }: Moving,
  target: Target,
  waits: boolean,
): Promise<void> {
  const moving = { ...deps, control: deps.partners.control, stopping };
  const { ended } = await beginAdvance(moving, target);
  const looked = ended.then(() => void deps.look?.());
  if (waits) return looked;
  underWay.add(looked);
  looked
    .catch((err: unknown) => deps.platform.log.report('sandbox.move_failed', { err }))
    .finally(() => underWay.delete(looked));
}

/** Returns the routes of the sandbox's clock. */
export function clockRoutes(deps: SandboxDeps, moving: Moving): Route[] {
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/clock',
      summary: 'Read the sandbox clock',
      description:
        'Due dates, retries, settlement days and `created_at` follow it. Everybody in the sandbox shares it.',
      tag,
      operationId: 'readSandboxClock',
      scope: null,
      permission: 'use_sandbox',
      response: ClockView,
      handle: ({ merchantId }) => showClock(deps, merchantId),
    }),
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/clock/advance',
      summary: 'Read the last move of the sandbox clock',
      description: 'With what has happened to you in it: until now, where it is under way.',
      tag,
      operationId: 'readSandboxMove',
      scope: null,
      permission: 'use_sandbox',
      response: Advanced,
      errors: ['not_found'],
      handle: ({ merchantId }) => showLastMove(deps, merchantId),
    }),
    routeWithOwnTransactions({
      method: 'POST',
      path: '/sandbox/clock/advance',
      summary: 'Move the sandbox clock forward',
      description:
        'Whatever falls due on the way happens in its order and at its own time, retries and webhooks included, and the ' +
        'response lists it. At most five years at a time, and never back. The sandbox has one clock: it moves for its ' +
        'other merchants too. A year takes a while: with `wait: false` the response comes at once. Refused while the clock ' +
        'is being moved.',
      tag,
      operationId: 'advanceSandboxClock',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      body: Advance,
      check: checkAdvance,
      response: Advanced,
      errors: ['clock_busy'],
      handle: async ({ merchantId, body }) => {
        const target = await targetOf(deps, merchantId, body);
        await moveClock(deps, moving, target, body.wait ?? true);
        return showLastMove(deps, merchantId);
      },
    }),
    routeWithOwnTransactions({
      method: 'POST',
      path: '/sandbox/clock/stop',
      summary: 'Stop moving the sandbox clock',
      description:
        'An advance in progress ends at the moment that it has reached, and its response lists what has happened until then. ' +
        'From there the clock runs with real time. Without an advance nothing changes.',
      tag,
      operationId: 'stopSandboxClock',
      scope: null,
      permission: 'use_sandbox',
      proof: 'never',
      response: ClockView,
      handle: async ({ merchantId }) => {
        await askToStop(deps.platform.db);
        return showClock(deps, merchantId);
      },
    }),
  ];
}

function readDuration(text: string): Temporal.Duration | null {
  try {
    return Temporal.Duration.from(text);
  } catch {
    return null;
  }
}

function checkAdvance(body: unknown): Record<string, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const { by, to } = body as { by?: unknown; to?: unknown };
  if ((by === undefined) === (to === undefined)) return { by: 'give either by or to' };
  if (typeof by === 'string' && readDuration(by) === null)
    return { by: 'must be an ISO 8601 duration such as P1M' };
  if (typeof to === 'string' && parseInstant(to) === null)
    return { to: 'must be an ISO 8601 date-time with an offset or Z' };
  return {};
}

/** Returns the target of the clock. A span is counted in the merchant's time zone. */
async function targetOf(
  { platform }: SandboxDeps,
  merchantId: string,
  { by, to }: { by?: string; to?: string },
): Promise<Target> {
  const instant = to === undefined ? null : parseInstant(to);
  if (instant !== null) return { to: instant };
  const { timeZone } = await platform.db.read((tx) => readMerchant(platform, tx, merchantId));
  const duration = by === undefined ? null : readDuration(by);
  return { by: duration ?? new Temporal.Duration(), timeZone };
}
