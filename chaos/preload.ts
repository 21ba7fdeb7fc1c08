// Loaded into every process of the chaos run (`node --import`), and into nothing else: it replaces the machine's clock and name
// resolution. The code of the service under test is unchanged.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import tls from 'node:tls';
import { databaseClock, realClock } from '../server/src/platform/time/clock.ts';

/** The name of the merchant's receiver: one that no DNS resolves. */
const RECEIVER = 'shop.invalid';
const POLL_MS = 20;

const { CHAOS_CLOCK: clockFile = '', CHAOS_RECEIVER_PORT: receiverPort = '' } = process.env;
const MachineDate = Date;
let offsetMs = 0;
let lookedAt = Number.NEGATIVE_INFINITY;

/** Returns how far this process's clock is from the machine's; keeps the last value while the file is being replaced. */
function offset(): number {
  const at = performance.now();
  if (at - lookedAt < POLL_MS) return offsetMs;
  lookedAt = at;
  try {
    const read = Number.parseInt(readFileSync(clockFile, 'utf8'), 10);
    if (Number.isSafeInteger(read)) offsetMs = read;
  } catch {
    // The next look finds it.
  }
  return offsetMs;
}

const now = (): number => MachineDate.now() + offset();

globalThis.Date = new Proxy(MachineDate, {
  construct: (date, args, given) =>
    Reflect.construct(date, args.length === 0 ? [now()] : args, given),
  apply: () => new MachineDate(now()).toString(),
  get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
});
Object.defineProperty(Temporal.Now, 'instant', {
  value: () => Temporal.Instant.fromEpochMilliseconds(now()),
});

/** The database's clock is the machine's. What is dated by it gets the world's clock instead, which is never wrong. */
const readInDatabase = realClock.within;
realClock.within = async (tx) => {
  await readInDatabase?.(tx); // waits for the statements before it
  return timeInDatabase();
};
databaseClock.timeOf = () => timeInDatabase();

function timeInDatabase(): Temporal.Instant {
  const file = join(dirname(clockFile), 'database.clock');
  const read = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Temporal.Instant.fromEpochMilliseconds(MachineDate.now() + read);
}

const { connect } = tls;
/** A live service calls only public addresses: here the receiver's name leads to this machine. */
function connectByName(...given: unknown[]): tls.TLSSocket {
  const [options, ...rest] = given as [tls.ConnectionOptions, ...unknown[]];
  if (options.host !== RECEIVER) return Reflect.apply(connect, tls, given);
  const { lookup: _, ...others } = options;
  const here = { host: '127.0.0.1', port: Number(receiverPort), servername: 'localhost' };
  return Reflect.apply(connect, tls, [{ ...others, ...here }, ...rest]);
}
tls.connect = connectByName as typeof tls.connect;
