import Type from 'typebox';
import { readMerchant } from '../../merchants/service.ts';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import {
  Described,
  Fields,
  Instant,
  InstantInput,
  NamedObject,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant, parseInstant } from '../../platform/time/calendar.ts';
import { advance, type Target } from '../advance.ts';
import { askToStop } from '../clock.ts';
import { happenedSince } from '../happened.ts';
import { HappeningView } from '../happening.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';

export const ClockView = NamedObject(
  'SandboxClock',
  {
    now: Described(Instant, 'What time it is in the sandbox.'),
    advancing: Type.Boolean({
      description: 'True: it is being moved forward. False: it runs with real time.',
    }),
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
  },
  'How far the clock is moved: by a duration, or to a moment.',
);

const Advanced = Type.Object(
  {
    from: Described(Instant, 'Where the clock stood before.'),
    to: Described(Instant, 'Where it stands now.'),
    happened: Type.Array(HappeningView, {
      description: 'What happened to you on the way, in order: the last 10,000 entries.',
    }),
    truncated: Type.Boolean({ description: 'More happened than `happened` has.' }),
    stopped: Type.Boolean({
      description: 'It was asked to stop, and did so before it reached its target.',
    }),
  },
  { description: 'What happened while the clock was moved.' },
);

/** Returns the routes of the sandbox's clock. An advance ends early when `stopping` is aborted. */
export function clockRoutes(deps: SandboxDeps, stopping: AbortSignal): Route[] {
  const { clock, platform } = deps;
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
      handle: async () => ({ now: formatInstant(clock.now()), advancing: clock.isHeld() }),
    }),
    routeWithOwnTransactions({
      method: 'POST',
      path: '/sandbox/clock/advance',
      summary: 'Move the sandbox clock forward',
      description:
        'Whatever falls due on the way happens in its order and at its own time, retries and webhooks included, and the ' +
        'response lists it. At most five years at a time, and never back. The sandbox has one clock: it moves for its ' +
        'other merchants too. A year takes a while. Refused while the clock is being moved.',
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
        const wanted = await targetOf(deps, merchantId, body);
        const { from, to, stopped } = await advance(
          { ...deps, control: deps.partners.control, stopping },
          wanted,
        );
        void deps.look?.();
        const happened = await platform.db.read((tx) => happenedSince(tx, merchantId, from));
        return { from: formatInstant(from), to: formatInstant(to), ...happened, stopped };
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
      handle: async () => {
        await askToStop(platform.db);
        return { now: formatInstant(clock.now()), advancing: clock.isHeld() };
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
