// Measures the dashboard's lists for a merchant with a million payments, 200,000 schedules and 100,000 customers:
// `npx -c "node bench/lists.ts"`, or with another number of payments. Each line is the whole answer of the service, with labels.
import { program, wholeNumber } from '../scripts/arguments.ts';
import { ensureTemplate } from '../server/test-support/database.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { openDashboard } from '../server/test-support/slices/dashboard.ts';
import { fillLists } from './stand/town-lists.ts';

const NOW = '2026-06-15T12:00:00Z';
const RUNS = 15; // the service answers 1,000 requests a minute
const WARM = 2;

const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/payments': [
    'sort=-due_date',
    'sort=due_date',
    'status=failed&sort=-due_date',
    'status=processing&sort=-due_date',
    'status=success&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&sort=-due_date',
    'error_code=insufficient_funds&sort=-due_date',
    'error_code=account_closed&sort=due_date',
    'amount_from=4999&amount_to=4999&sort=-due_date',
    'amount_from=6001&amount_to=6001&sort=-due_date',
    'amount_from=1000&amount_to=2000&status=failed&sort=-due_date',
    'amount_from=9000000&sort=-due_date',
    'q=membership&sort=-due_date',
    'q=telescope&sort=-due_date',
    'q=telescope&status=failed&sort=-due_date',
    'q=gym 1234&sort=-due_date',
    'q=robin&sort=-due_date',
    'q=lastname77&sort=-due_date',
    'q=Robin Lastname77&sort=due_date',
    'q=£60.01&sort=-due_date',
    'q=nothinglikeit&sort=-due_date',
    'customer_id=cus_0000000000000000000777&status=success&sort=-due_date',
    'q=broadband&error_code=technical&amount_from=2000&amount_to=9000&from=2026-02-01T00:00:00Z&sort=-due_date',
  ],
  '/api/v1/schedules': [
    '',
    'sort=created_at',
    'sort=description',
    'sort=-description&status=paused',
    'status=paused',
    'status=failing',
    'status=failing&error_code=account_closed',
    'from=2025-08-01T00:00:00Z&to=2025-08-02T00:00:00Z',
    'amount_from=4999&amount_to=4999',
    'amount_from=6001&amount_to=6001',
    'amount_from=9000000',
    'q=membership',
    'q=membership&status=pending_consent',
    'q=telescope&sort=description',
    'q=gym 1234',
    'q=robin',
    'q=lastname77',
    'q=nothinglikeit',
    'q=broadband&status=active&amount_from=2000&amount_to=9000&from=2025-01-01T00:00:00Z',
  ],
  '/api/v1/customers': [
    '',
    'sort=created_at',
    'q=robin',
    'q=lastname77',
    'q=Robin Lastname77',
    'from=2025-08-01T00:00:00Z&to=2025-08-02T00:00:00Z',
  ],
  '/api/search': ['q=membership', 'q=robin', 'q=telescope', 'q=60.01', 'q=49.99', 'q=pay_0001'],
};

const { args } = program('lists', 'Measures the dashboard’s lists.')
  .argument('[payments]', 'how many payments', wholeNumber, 1_000_000)
  .parse();
const payments = Number(args[0] ?? 1_000_000);

const server = await useSharedServer();
process.env.RECOLLECT_TEST_POSTGRES = server.url;
await ensureTemplate(server.url);
const d = await openDashboard(NOW);
try {
  const began = performance.now();
  await fillLists(d.h, { payments });
  console.log(`filled ${payments} payments in ${Math.round((performance.now() - began) / 1000)} s`);
  for (const [path, queries] of Object.entries(LISTS))
    for (const query of queries) await time(path, query);
} finally {
  await d.close();
  await server.leave(true);
}

async function time(path: string, query: string): Promise<void> {
  const isList = path !== '/api/search';
  const url = `${path}?${new URLSearchParams(`${query}${isList ? '&limit=25&after=start' : ''}`)}`;
  const times: number[] = [];
  let rows = 0;
  for (let run = 0; run < RUNS; run++) {
    const began = performance.now();
    const { data } = await d.get<{ data?: unknown[] }>(url);
    rows = data?.length ?? 0;
    if (run >= WARM) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`${path}?${query} | ${rows} | ${at(0.5)} | ${at(0.95)}`);
}
