import type { Aggregator } from '../../src/banks/aggregator.ts';
import type { BankDriver } from '../../src/banks/bank-journey.ts';
import type { TrueLayerConfig } from '../../src/banks/truelayer/config.ts';
import { openTrueLayer } from '../../src/banks/truelayer/connector.ts';
import { FAKE_CLIENT, FakeTrueLayer } from './fake-truelayer.ts';

/** A fake TrueLayer, a connection to it, and its customers. */
export interface TrueLayerBench {
  fake: FakeTrueLayer;
  config: TrueLayerConfig;
  connection: Aggregator;
  driver: BankDriver;
  close(): Promise<void>;
}

/** Starts a fake TrueLayer and opens a connection to it. */
export async function openTrueLayerBench(now: () => Temporal.Instant): Promise<TrueLayerBench> {
  const fake = new FakeTrueLayer(now);
  const { vrp } = fake;
  const config: TrueLayerConfig = {
    ...FAKE_CLIENT,
    bankId: 'truelayer',
    hosts: await fake.start(),
    scope: 'payments recurring_payments:commercial',
    useCase: 'utilities',
    hasOwnLicence: false,
    releaseChannel: 'general_availability',
    confirmsFunds: true,
    sandbox: true,
  };
  const connection = openTrueLayer(config, now);
  const driver: BankDriver = {
    redirectUri: vrp.returnUris[0] ?? '',
    creditor: { sortCode: '040392', accountNumber: '20000001', name: 'Fernhill collections' },
    agree: async (url, customer) => {
      vrp.decide(url, customer, true);
      return '';
    },
    disagree: async (url, customer) => {
      vrp.decide(url, customer, false);
      return '';
    },
    withdraw: async (_customer, consentId) => vrp.withdraw(consentId),
    notifications: () => {
      vrp.execute();
      return fake.told;
    },
  };
  const close = async (): Promise<void> => {
    await connection.close();
    await fake.close();
  };
  return { fake, config, connection, driver, close };
}
