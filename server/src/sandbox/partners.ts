import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenBankingConfig } from '../banks/open-banking/config.ts';
import type { Config, PortSetting } from '../platform/config/config.ts';
import { SCHEMES } from '../platform/config/schemes.ts';
import type { Log } from '../platform/log/log.ts';
import { probeFreePort } from '../platform/network/free-port.ts';
import { type ListedBank, makePartnerControl, type PartnerControl } from './control.ts';
import {
  openSandboxFolder,
  type SandboxFolder,
  type SandboxSecrets,
  writePrivate,
} from './folder.ts';
import {
  bankProgramConfig,
  ISSUER_KEY_ID,
  issuerProgramConfig,
  issuerUrl,
  pagesUrl,
  type SandboxPorts,
  THIRD_PARTY,
} from './partner-configs.ts';
import { type Program, type RunProgram, runWithRestarts } from './program.ts';

/** The running partners of the sandbox, and how to reach them. */
export interface SandboxPartners {
  banks: OpenBankingConfig[];
  issuer: { url: string; keyId: string; secret: string; notificationSecret: string };
  /** The banks' pages. */
  bankUrl: string;
  issuerUrl: string;
  control: PartnerControl;
  close(): Promise<void>;
}

/** Returns how to reach the issuer of a sandbox that has run on this data folder: for audits beside it. */
export async function issuerOfSandbox(
  dataDir: string,
  url: string,
): Promise<SandboxPartners['issuer']> {
  const { secrets } = await openSandboxFolder(dataDir);
  return issuerAt(url, secrets);
}

const issuerAt = (
  url: string,
  { issuer: secret, notifications: notificationSecret }: SandboxSecrets,
): SandboxPartners['issuer'] => ({ url, keyId: ISSUER_KEY_ID, secret, notificationSecret });

/**
 * Starts the sandbox's bank and e-money issuer, by default as processes of their own, and returns when both are ready. Keys,
 * secrets, certificates and books are kept under `<dataDir>/sandbox`. Throws PortInUse if a port is in use. `config.baseUrl` must
 * contain the port that the service will listen on.
 */
export async function startSandboxPartners(
  config: Config,
  log: Log,
  runProgram: RunProgram = runWithRestarts,
): Promise<SandboxPartners> {
  const folder = await openSandboxFolder(config.dataDir);
  const ports = await choosePorts(config);
  const running = await startBoth(config, folder, ports, (program) => runProgram(program, log));
  const close = async (): Promise<void> => {
    await control.close();
    await Promise.all(running.map((program) => program.close()));
  };
  const control = makePartnerControl({
    bankUrl: pagesUrl(ports),
    issuerUrl: issuerUrl(ports),
    secret: folder.secrets.control,
  });
  try {
    return {
      banks: await bankConfigs(config, folder, await control.banks()),
      issuer: issuerAt(issuerUrl(ports), folder.secrets),
      bankUrl: pagesUrl(ports),
      issuerUrl: issuerUrl(ports),
      control,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Closable = { close(): Promise<void> };

async function startBoth(
  config: Config,
  folder: SandboxFolder,
  ports: SandboxPorts,
  run: (program: Program) => Promise<Closable>,
): Promise<Closable[]> {
  const start = async (
    name: 'bank' | 'issuer',
    content: object,
    ports: readonly (readonly [number, PortSetting])[],
  ): Promise<Closable> => {
    const configFile = join(folder.dir, `${name}.json`);
    await writePrivate(configFile, content);
    return run({ name, configFile, ports: new Map(ports) });
  };
  const started = await Promise.allSettled([
    start('bank', bankProgramConfig(config, folder, ports), [
      [ports.bank, 'SANDBOX_BANK_PORT'],
      [ports.bankPages, 'SANDBOX_BANK_PAGES_PORT'],
    ]),
    start('issuer', issuerProgramConfig(config, folder, ports), [
      [ports.issuer, 'SANDBOX_ISSUER_PORT'],
    ]),
  ]);
  const failed = started.find((one) => one.status === 'rejected');
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (failed === undefined) return running;
  await Promise.all(running.map((program) => program.close()));
  throw failed.reason;
}

async function bankConfigs(
  config: Config,
  folder: SandboxFolder,
  listed: readonly ListedBank[],
): Promise<OpenBankingConfig[]> {
  const { certificates, signing } = folder;
  const tls = {
    ca: await readFile(certificates.ca, 'utf8'),
    cert: await readFile(certificates.clientCert, 'utf8'),
    key: await readFile(certificates.clientKey, 'utf8'),
  };
  return listed.map((bank) => ({
    bankId: bank.bank_id,
    name: bank.name,
    issuer: bank.issuer,
    resourceBase: bank.resource_base,
    clientId: THIRD_PARTY.client_id,
    orgId: THIRD_PARTY.org_id,
    softwareId: THIRD_PARTY.software_id,
    bankOrgId: bank.org_id,
    bankJwksUri: bank.jwks_uri,
    vrpType: `UK.OBIE.VRPType.${SCHEMES[config.paymentScheme].vrpType}`,
    tls,
    tokenAuth: bank.token_auth,
    periods: bank.periods,
    signingJwk: signing.privateJwk,
    sandbox: true,
  }));
}

/** Replaces port 0 by free ports. They stay occupied until all are found, so that no two are the same. */
async function choosePorts(config: Config): Promise<SandboxPorts> {
  const wanted = [config.sandboxBankPort, config.sandboxBankPagesPort, config.sandboxIssuerPort];
  const probes = await Promise.all(wanted.map((port) => (port === 0 ? probeFreePort() : null)));
  const [bank = 0, bankPages = 0, issuer = 0] = wanted.map((port, i) => probes[i]?.port ?? port);
  await Promise.all(probes.map((probe) => probe?.close()));
  return { bank, bankPages, issuer };
}
