import Type from 'typebox';
import { readMerchant } from '../../merchants/service.ts';
import { type Route, routeWithOwnTransactions } from '../../platform/http/calls/route.ts';
import {
  Fields,
  Id,
  Instant,
  InstantInput,
  NamedObject,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant, parseInstant } from '../../platform/time/calendar.ts';
import { advance, type Target } from '../advance.ts';
import { askToStop } from '../clock.ts';
import { happenedSince } from '../happened.ts';
import type { SandboxDeps } from './deps.ts';

const tag = 'Sandbox';

export const ClockView = NamedObject('SandboxClock', {
  now: Instant,
  advancing: Type.Boolean({
    description: 'The clock is being moved forward; else it runs with real time.',
  }),
});

const Text = Type.String();
const at = Instant;

const HappeningView = Type.Union([
  NamedObject('StateChangeHappening', {
    at,
    kind: Type.Literal('state_change'),
    object_id: Text,
    schedule_id: OrNull(Text),
    from: OrNull(Text),
    to: Text,
    reason: Text,
  }),
  NamedObject('EventHappening', {
    at,
    kind: Type.Literal('event'),
    event_id: Id('evt'),
    event: Text,
    subject_id: Text,
  }),
  NamedObject('DeliveryHappening', {
    at,
    kind: Type.Literal('delivery_attempt'),
    event_id: Id('evt'),
    endpoint_id: Id('end'),
    number: Type.Integer(),
    response_status: OrNull(Type.Integer()),
    error: OrNull(Text),
  }),
]);

const Advance = Fields({
  by: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'An ISO 8601 duration, counted in your calendar: months and days keep the time of day.',
      examples: ['P1M', 'PT90M'],
    }),
  ),
  to: Type.Optional(InstantInput),
});

const Advanced = Type.Object({
  from: Instant,
  to: Instant,
  happened: Type.Array(HappeningView, {
    description: 'In the order in which it happened: the last 10,000.',
  }),
  truncated: Type.Boolean(),
  stopped: Type.Boolean({ description: 'It was asked to stop, and did so before its target.' }),
});

/** Returns the routes of the sandbox's clock. An advance ends early when `stopping` is aborted. */
export function clockRoutes(deps: SandboxDeps, stopping: AbortSignal): Route[] {
  const { clock, platform } = deps;
  return [
    routeWithOwnTransactions({
      method: 'GET',
      path: '/sandbox/clock',
      summary: 'Read the sandbox clock',
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
        'Whatever falls due on the way happens in its order and at its own time, retries and webhooks ' +
        'included, and is named in the response. The sandbox has one clock: it moves for its other merchants, too.',
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
        'An advance in progress ends at the moment it has reached, and its answer tells what has happened until then. ' +
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
