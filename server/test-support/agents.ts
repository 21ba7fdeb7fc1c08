import assert from 'node:assert/strict';
import { createKey } from '../src/merchants/keys/key-service.ts';
import { DEFAULT_SCOPES } from '../src/merchants/scope.ts';
import type { Scope } from '../src/platform/http/calls/access.ts';
import type { Answer, TestService } from './service.ts';

/** A prepared act as the API shows it, as far as tests read it. */
export interface ShownAct {
  id: string;
  status: string;
  summary: string;
  amount: { value: number; currency: string };
  asks: string[];
  agent: string | null;
  object_id: string | null;
  ended_at: string | null;
  limits: Record<'per_act_pence' | 'per_day_pence' | 'used_today_pence', number> | null;
}

type Refusable<T> = Answer<T> & { code: string | undefined };

/** The holder of an API key, with or without limits. */
export interface LimitedKey {
  keyId: string;
  secret: string;
  call<T = ShownAct>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Refusable<T>>;
  prepare(wanted: object): Promise<Refusable<ShownAct>>;
  commit(actId: string): Promise<Refusable<ShownAct>>;
  get(actId: string): Promise<Refusable<ShownAct>>;
  own(): Promise<Pick<ShownAct, 'limits'>>;
}

/** Makes a key of the service's merchant with these limits, as the body of POST /api_keys has them; null: none. */
export async function limitedKey(
  { running: { platform }, merchantId, api }: TestService,
  limits: object | null,
  scopes: readonly Scope[] = DEFAULT_SCOPES,
): Promise<LimitedKey> {
  const { per_act_pence: perActPence = 0, per_day_pence: perDayPence = 0 } = Object(limits);
  const { secret, key } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'Agent', 'for a test', {
      scopes,
      madeBy: null,
      allowedIps: null,
      limits: limits === null ? null : { perActPence, perDayPence },
    }),
  );
  const call: LimitedKey['call'] = async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await api<T>(method, path, body, {
      authorization: `Bearer ${secret}`,
      ...headers,
    });
    const { error } = Object(answer.body) as { error?: { code: string } };
    return { ...answer, code: error?.code };
  };
  const path = '/api/v1/prepared_acts';
  return {
    keyId: key.keyId,
    secret,
    call,
    prepare: (wanted) => call('POST', path, wanted),
    commit: (actId) => call('POST', `${path}/${actId}/commit`, {}),
    get: (actId) => call('GET', `${path}/${actId}`),
    own: async () => (await call('GET', '/api/v1/api_key')).body,
  };
}

const gbp = (value: number) => ({ value, currency: 'GBP' });

/** Creates a schedule of £10.00 a month that the customer has agreed to, with room for payments besides. */
export async function agreedSchedule(service: TestService, fields: object = {}): Promise<string> {
  const made = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
    amount: gbp(1_000),
    description: 'Membership',
    frequency: { type: 'monthly', day: 1 },
    customer: { type: 'phone', value: '+447700900123' },
    max_retries: 0,
    limits: { per_payment: gbp(100_000), per_period: gbp(1_000_000) },
    ...fields,
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  await service.grant(made.body.id);
  return made.body.id;
}
