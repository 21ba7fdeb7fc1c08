// Sends one round of requests with autocannon, in a process of its own: `node bench/stand/load.ts <Load as JSON>` prints a
// Loaded when its seconds are over, or after SIGTERM.
import autocannon from 'autocannon';
import type { Load, Loaded } from './load-process.ts';
import { quantile } from './statistics.ts';

const load = JSON.parse(process.argv[2] ?? '{}') as Load;
let sent = 0;

const running = autocannon({
  url: load.url,
  method: load.method,
  connections: load.connections,
  duration: load.seconds,
  headers: load.headers,
  requests: [
    {
      setupRequest(request) {
        sent++;
        const number = String(load.from + sent).padStart(9, '0');
        const fill = (text: string): string => text.replaceAll('{number}', number);
        if (load.body !== undefined) request.body = fill(load.body);
        for (const [name, value] of Object.entries(load.headers))
          request.headers[name] = fill(value);
        return request;
      },
    },
  ],
});
const times: number[] = [];
running.on('response', (_client, status: number, _bytes: number, ms: number) => {
  if (status < 300) times.push(ms);
});
process.once('SIGTERM', () => running.stop());
const result = await running;
const loaded: Loaded = {
  perSecond: result['2xx'] / result.duration,
  answered: result['2xx'],
  refused: result.non2xx + result.errors,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
};
process.stdout.write(JSON.stringify(loaded));
