import { createServer } from 'node:net';
import {
  type Config,
  ConfigError,
  PortInUse,
  type PortSetting,
} from '../../platform/config/config.ts';
import { OPERATOR_VARIABLES } from '../../platform/config/operators.ts';
import { operatorPortOf } from '../../platform/config/roles.ts';
import { errorCode } from '../../platform/values/thrown.ts';

/** The sandbox's partners listen on this machine alone. */
const LOCAL = '127.0.0.1';

interface RequiredPort {
  setting: PortSetting;
  host: string;
  port: number;
}

/**
 * Throws if other processes have ports that this one is to listen on, before anything is started: PortInUse for one, and a
 * ConfigError that names them all for more. The default operators' port is left out: another one is taken in its place.
 */
export async function refusePortsInUse(config: Config): Promise<void> {
  const isTaken = await Promise.all(requiredPorts(config).map(isInUse));
  const [first, ...others] = requiredPorts(config).filter((_, index) => isTaken[index]);
  if (first === undefined) return;
  if (others.length === 0) throw new PortInUse(first.port, first.setting);
  const ports = [first, ...others].map(({ port, setting }) => `${port} (${setting})`).join(', ');
  throw new ConfigError(
    `ports ${ports} are in use: stop what runs there, or set these settings to other ports, or to 0 for any free one`,
  );
}

function requiredPorts(config: Config): RequiredPort[] {
  const { host, operatorHost, operatorPort, engines } = config;
  const all: RequiredPort[] = [{ setting: 'PORT', host, port: config.port }];
  // The first engine looks at the ports of those that it starts, too.
  const last = engines.number === 1 ? engines.count : engines.number;
  for (let { number } = engines; number <= last; number++) {
    const port = operatorPortOf(operatorPort, number);
    all.push({ setting: 'OPERATOR_PORT', host: operatorHost, port });
  }
  if (config.mode === 'sandbox')
    all.push(
      { setting: 'SANDBOX_BANK_PORT', host: LOCAL, port: config.sandboxBankPort },
      { setting: 'SANDBOX_BANK_PAGES_PORT', host: LOCAL, port: config.sandboxBankPagesPort },
      { setting: 'SANDBOX_ISSUER_PORT', host: LOCAL, port: config.sandboxIssuerPort },
    );
  const isLenient = ({ setting, port }: RequiredPort): boolean =>
    setting === 'OPERATOR_PORT' && String(port) === OPERATOR_VARIABLES.OPERATOR_PORT.fallback;
  return all.filter((one) => one.port !== 0 && !isLenient(one));
}

/** Whether somebody listens on a port. What else keeps us from listening there is said by whoever does listen. */
function isInUse({ host, port }: RequiredPort): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', (error) => resolve(errorCode(error) === 'EADDRINUSE'));
  server.listen({ host, port }, () => server.close(() => resolve(false)));
  return promise;
}
