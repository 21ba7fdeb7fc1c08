import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { reviveDatabase } from '../troubles.ts';
import type { World } from '../world.ts';
import type { ReaderName } from './readers.ts';

type Undo = () => unknown;

/** Something that breaks while payments fall due. */
export interface Fault {
  name: string;
  /** When it begins, in seconds after the payments fall due. */
  beginsAt: number;
  /** How long it lasts at least, in seconds; longer while a reader has not said what it has to. */
  lasts: number;
  /** What these readers have to say of it. The others may say nothing. */
  says: Readonly<Partial<Record<ReaderName, RegExp>>>;
  /** How many seconds after its end the last payment may be made: what a crash had claimed must not wait for a lease. */
  healsWithin?: number;
  /** Whether this machine lets us do it; default: yes. */
  canBe?(world: World): boolean;
  /** What has to be so before, while all is well. */
  prepare?(world: World): void;
  /** Breaks it; what it resolves to mends it. */
  begin(world: World): Promise<Undo> | Undo;
}

const BEFORE_DUE = -2;
const WHILE_CLAIMED = 0.3;
const FAULT_SECONDS = 10;
const HALF_A_MINUTE = 30;
const HOUR_MS = 3_600_000;

const BANK_IS_DOWN: Fault['says'] = {
  health: /bank northbank: It has been down/,
  console: /northbank is down/,
  merchant: /Northbank is down/,
  customer: /Not responding/,
  alert: /RecollectBankUnavailable/,
};
const DATABASE_IS_AWAY: Fault['says'] = {
  health: /database: /,
  merchant: /503/,
  customer: /503/,
  alert: /RecollectDatabaseUnavailable/,
};

const wrongClock = (howWrong: string, ms: number): Fault => ({
  name: `the clock of one process ${howWrong}`,
  beginsAt: BEFORE_DUE,
  lasts: FAULT_SECONDS,
  says: { health: /clock: .*claims nothing/, alert: /RecollectClockWrong/ },
  begin({ clock }) {
    clock.setWrong('service-1', ms);
    return () => clock.setWrong('service-1', 0);
  },
});

/** Every fault of the drill, in its order. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a bank is dead',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: BANK_IS_DOWN,
    begin({ partners: { bank } }) {
      bank.signal('SIGSTOP');
      return () => bank.signal('SIGCONT');
    },
  },
  {
    name: 'a bank is slow',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: { alert: /RecollectBankSlow/ },
    begin({ wires: { bank } }) {
      bank.set('slow');
      return () => {
        bank.set('whole');
        bank.cut(); // what is late is lost
      };
    },
  },
  {
    name: 'a bank gives us no token',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: BANK_IS_DOWN,
    // The tokens that we keep are over by then.
    prepare: ({ clock }) => clock.step(Temporal.Duration.from({ minutes: 11 })),
    async begin({ partners: { control } }) {
      const refuse = (behaviours: string[]) => control.changeBank('northbank', { behaviours });
      await refuse(['refuses_clients']);
      return () => refuse([]);
    },
  },
  {
    name: 'the certificate of a bank has expired',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: BANK_IS_DOWN,
    async begin({ expired, partners: { bankPort }, wires: { bank } }) {
      const impostor = createServer(expired).listen(0, '127.0.0.1');
      await once(impostor, 'listening');
      bank.leadTo((impostor.address() as AddressInfo).port);
      bank.cut();
      return () => {
        bank.leadTo(bankPort);
        impostor.close();
      };
    },
  },
  {
    name: 'the issuer is away',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: { health: /issuer: /, alert: /RecollectIssuerUnavailable/ },
    begin({ wires: { issuer } }) {
      issuer.set('refusing');
      return () => issuer.set('whole');
    },
  },
  {
    name: 'both processes are killed while they claim',
    beginsAt: WHILE_CLAIMED,
    lasts: 0,
    healsWithin: HALF_A_MINUTE,
    says: {},
    async begin({ services }) {
      await Promise.all(services.map((service) => service.kill()));
      return () => services.forEach((service) => void service.start());
    },
  },
  {
    name: 'the database is lost for half a minute',
    beginsAt: WHILE_CLAIMED,
    lasts: HALF_A_MINUTE,
    healsWithin: HALF_A_MINUTE,
    says: DATABASE_IS_AWAY,
    begin(world) {
      world.cluster.kill();
      return () => reviveDatabase(world);
    },
  },
  {
    name: 'the disk of the database is full',
    beginsAt: BEFORE_DUE,
    lasts: FAULT_SECONDS,
    says: { health: /database: .*disk/, merchant: /503/, alert: /RecollectDatabaseUnavailable/ },
    canBe: ({ disk }) => disk.unlimited === null,
    begin(world) {
      world.disk.fill();
      return () => {
        world.disk.free();
        return reviveDatabase(world);
      };
    },
  },
  wrongClock('is 25 hours ahead', 25 * HOUR_MS),
  wrongClock('is an hour behind', -HOUR_MS),
  wrongClock('is 90 seconds ahead', 90_000),
];
