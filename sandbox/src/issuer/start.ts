import { listen } from '../listen.ts';
import { readIssuerConfig } from './config.ts';
import { createHttpServer } from './http.ts';
import { openIssuer } from './issuer.ts';
import { bankRoutes } from './routes/bank-routes.ts';
import { controlRoutes } from './routes/control-routes.ts';
import { partnerRoutes } from './routes/partner-routes.ts';

/**
 * Starts the sandbox e-money issuer from a parsed configuration file (see IssuerConfig) and listens. Throws if the configuration
 * is invalid or the port is in use.
 */
export async function startIssuer(config: unknown): Promise<{ close(): Promise<void> }> {
  const issuer = openIssuer(readIssuerConfig(config));
  const server = createHttpServer();
  server.register((scope) => partnerRoutes(scope, issuer), { prefix: '/v1' });
  server.register((scope) => bankRoutes(scope, issuer));
  server.register((scope) => controlRoutes(scope, issuer), { prefix: '/sandbox' });
  const close = async (): Promise<void> => {
    await server.close();
    await issuer.timekeeper.stop();
    await issuer.deliverer.close();
    issuer.store.close();
  };
  try {
    await listen(server, issuer.config, 'sandbox issuer');
  } catch (error) {
    await close();
    throw error;
  }
  issuer.timekeeper.start();
  issuer.deliverer.wake();
  return { close };
}
