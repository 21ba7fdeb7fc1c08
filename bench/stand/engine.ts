// An engine in a process of its own: `engine.ts <database> <connections>`. Its partners are in it, and take as long to answer as
// the order to start says.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bank } from '../../server/src/banks/bank.ts';
import { openDb } from '../../server/src/platform/db/db.ts';
import type { Issuer } from '../../server/src/wallets/issuer.ts';
import type { Order } from './engines.ts';
import { INSTANT_BANK, INSTANT_ISSUER, wireInstant } from './instant-partners.ts';
import { platformOver } from './instant-service.ts';
import { ourCpuSeconds } from './usage.ts';

let latencyMs = 0;
const answered = async <T>(answer: Promise<T>): Promise<T> => {
  // Where nothing is waited for, not even a turn of the event loop.
  if (latencyMs > 0) await sleep(latencyMs);
  return answer;
};

const bank: Bank = {
  ...INSTANT_BANK,
  confirmFunds: (...asked) => answered(INSTANT_BANK.confirmFunds(...asked)),
  submitPayment: (...order) => answered(INSTANT_BANK.submitPayment(...order)),
};
const issuer: Issuer = {
  ...INSTANT_ISSUER,
  transfer: (orders) => answered(INSTANT_ISSUER.transfer(orders)),
};

const [url = '', connections] = process.argv.slice(2);
const db = openDb(url, Number(connections));
const { engine } = wireInstant(platformOver(db), { bank, issuer });
let cpuAtStart = 0;

async function obey(order: Order): Promise<void> {
  if ('stop' in order) {
    await engine.stop();
    process.send?.({ cpuSeconds: ourCpuSeconds() - cpuAtStart });
    return;
  }
  ({ latencyMs } = order);
  cpuAtStart = ourCpuSeconds();
  engine.start();
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
process.send?.('ready');
