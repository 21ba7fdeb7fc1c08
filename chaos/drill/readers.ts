import { request } from 'undici';
import { RecollectError, type Schedule } from '../../sdk/src/index.ts';
import type { Prometheus } from '../../server/test-support/prometheus.ts';
import type { World } from '../world.ts';

/** Who looks at the service. */
export const READERS = ['health', 'console', 'merchant', 'customer', 'alert'] as const;
export type ReaderName = (typeof READERS)[number];

/** Returns what a reader is told at the moment; empty: nothing. Never throws. */
export type Reader = () => Promise<string>;

/** What the readers look at. */
export interface ReaderDeps {
  world: World;
  operatorKey: string;
  /** A schedule to which its customer has not agreed yet. */
  offered: Schedule;
  /** Null where Prometheus is not installed. */
  prometheus: Prometheus | null;
}

const TIMEOUT_MS = 5_000;
const FIRST_SERVER_ERROR = 500;

/** Makes one reader of each kind; `alert` is missing where Prometheus is not installed. */
export function makeReaders(seen: ReaderDeps): ReadonlyMap<ReaderName, Reader> {
  const { prometheus } = seen;
  const readers = new Map<ReaderName, Reader>([
    ['health', () => readHealth(seen)],
    ['console', () => readConsole(seen)],
    ['merchant', () => readAsMerchant(seen)],
    ['customer', () => readAsCustomer(seen)],
  ]);
  if (prometheus !== null) readers.set('alert', async () => (await prometheus.alerts()).join(', '));
  return readers;
}

/** Reads the problems in `/health` of every process that answers. */
async function readHealth({ world }: ReaderDeps): Promise<string> {
  const all = await Promise.all(
    world.operatorUrls.map(async (url) => {
      const answer = await fetchJson<{ problems: { part: string; says: string }[] }>(
        `${url}/health`,
      );
      return (answer?.problems ?? []).map(({ part, says }) => `${part}: ${says}`);
    }),
  );
  return [...new Set(all.flat())].join(' ');
}

/** Reads the banks as an operator's console does. */
async function readConsole({ world, operatorKey }: ReaderDeps): Promise<string> {
  const headers = { authorization: `Bearer ${operatorKey}` };
  const urls = world.operatorUrls.map((url) => `${url}/admin/v1/banks`);
  for (const url of urls) {
    const banks = await fetchJson<{ data?: { id: string; condition: string }[] }>(url, headers);
    const ill = banks?.data?.filter(({ condition }) => condition !== 'operational') ?? [];
    if (ill.length > 0) return ill.map(({ id, condition }) => `${id} is ${condition}`).join(', ');
  }
  return '';
}

/** Creates a schedule that is never agreed to: its page is what a customer sees. */
export function offerSchedule({ client, clock }: World): Promise<Schedule> {
  return client.schedules.create({
    amount: { value: 100, currency: 'GBP' },
    frequency: 'monthly',
    customer: { type: 'phone', value: '+447700999999' },
    description: 'Never agreed to',
    start_date: clock.now().add({ hours: 48 }).round('second').toString(),
  });
}

/** Reads the banks, and where all of them are well, asks for a schedule. */
async function readAsMerchant({ world }: ReaderDeps): Promise<string> {
  try {
    const { data } = await world.client.banks.list();
    const ill = data.filter(({ condition }) => condition !== 'operational');
    if (ill.length === 0) await offerSchedule(world);
    return ill.map(({ name, condition }) => `${name} is ${condition}`).join(', ');
  } catch (error) {
    return error instanceof RecollectError ? `${error.status} ${error.message}` : '';
  }
}

/** Reads the page on which a customer chooses a bank. */
async function readAsCustomer({ offered }: ReaderDeps): Promise<string> {
  try {
    const { statusCode, body } = await request(offered.consent_url ?? '', limits());
    const page = await body.text();
    if (statusCode >= FIRST_SERVER_ERROR)
      return `${statusCode} ${/<h1[^>]*>([^<]*)/.exec(page)?.[1] ?? ''}`;
    return /Not responding at the moment|Having problems at the moment/.exec(page)?.[0] ?? '';
  } catch {
    return '';
  }
}

const limits = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Returns the body of a JSON answer of any status; null without one in time. */
async function fetchJson<T>(url: string, headers: Record<string, string> = {}): Promise<T | null> {
  try {
    return (await (await request(url, { headers, ...limits() })).body.json()) as T;
  } catch {
    return null;
  }
}
