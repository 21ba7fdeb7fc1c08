import type { IssuerConfig } from '../platform/config/issuer.ts';
import type { Issuer } from './issuer.ts';
import { HttpIssuer } from './issuer-http.ts';
import { ModulrIssuer } from './modulr/issuer.ts';

/** An issuer whose connections can be closed. */
export type OpenIssuer = Issuer & { close(): Promise<void> };

/** Returns the connector to the configured issuer. Does not call it yet. */
export function makeIssuer(config: IssuerConfig): OpenIssuer {
  const { url: baseUrl, modulr, ...credentials } = config;
  if (modulr === undefined) return new HttpIssuer({ baseUrl, ...credentials });
  const { keyId, secret, notificationSecret, previousNotificationSecret = null } = credentials;
  const previous = previousNotificationSecret === null ? [] : [previousNotificationSecret];
  const webhookSecrets = [notificationSecret, ...previous];
  return new ModulrIssuer({ baseUrl, keyId, secret, webhookSecrets, ...modulr });
}
