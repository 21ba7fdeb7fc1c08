import { readFileSync } from 'node:fs';
import type { Account } from '../../src/alone/start.ts';
import type { Known } from './tpp.ts';

/** Returns what a third party knows of a sandbox that runs alone, by what that shows at its start. */
export function knownOf({ initiator, back_channel, bank_org_id }: Account): Known {
  const { client, server, ca } = initiator.tls;
  return {
    certificates: {
      ...{ ca, serverCert: server.cert, serverKey: server.key },
      ...{ clientCert: client.cert, clientKey: client.key },
      ...{ otherCert: client.cert, otherKey: client.key },
    },
    tppKey: JSON.parse(readFileSync(initiator.signing_key, 'utf8')),
    config: { back_channel_url: back_channel, org_id: bank_org_id, tpp: initiator },
  };
}
