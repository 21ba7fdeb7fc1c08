import { ModulrIssuer, type ModulrSettings } from '../../src/wallets/modulr/issuer.ts';
import { FAKE_KEY, FakeModulr, WEBHOOK_SECRET } from './fake-modulr.ts';

export const CUSTOMER = 'C0000001';

/** Starts a fake Modulr and a connector to it. */
export async function openModulr(
  now: () => Temporal.Instant,
  changes: Partial<ModulrSettings> = {},
): Promise<{ fake: FakeModulr; issuer: ModulrIssuer; baseUrl: string; close(): Promise<void> }> {
  const fake = new FakeModulr(now);
  const baseUrl = await fake.start();
  const issuer = new ModulrIssuer({
    ...FAKE_KEY,
    baseUrl,
    customerId: CUSTOMER,
    productCode: null,
    webhookSecrets: [WEBHOOK_SECRET],
    webhookSignature: 'request',
    requests: 8_000,
    ...changes,
  });
  const close = async (): Promise<void> => {
    await issuer.close();
    await fake.close();
  };
  return { fake, issuer, baseUrl, close };
}
