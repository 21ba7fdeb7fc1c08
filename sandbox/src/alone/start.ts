import { resolve } from 'node:path';
import { BRANDS } from '../bank/behaviour/brands.ts';
import type { BankConfig } from '../bank/config.ts';
import type { IssuerConfig } from '../issuer/config.ts';
import { PROGRAMS, type RunningProgram } from '../programs.ts';
import { freePort, openDoor } from './door.ts';
import { type Initiator, openInitiator } from './initiator.ts';
import type { AloneSettings } from './settings.ts';

/** The plain ports of this machine behind the doors of the pages and of the issuer. */
interface Inner {
  pages: number;
  issuer: number;
}

/** Where a sandbox that runs alone is reached. */
export interface Addresses {
  back_channel: string;
  pages: string;
  issuer: string;
}

/** What an initiator is told: the addresses, what it is known by, and the banks. */
export interface Account extends Addresses {
  initiator: Initiator;
  banks: {
    bank_id: string;
    name: string;
    discovery: string;
    resource_base: string;
    summary: string;
  }[];
  bank_org_id: string;
  statement: string;
}

const LOOPBACK = '127.0.0.1';
const BANKS_ORG_ID = 'sandboxbanks';

const addressesOf = (settings: AloneSettings): Addresses => ({
  back_channel: `https://${settings.public_host}:${settings.bank_port}`,
  pages: `https://${settings.public_host}:${settings.pages_port}`,
  issuer: `https://${settings.public_host}:${settings.issuer_port}`,
});

function bankConfig(settings: AloneSettings, initiator: Initiator, inner: Inner): BankConfig {
  const { back_channel, pages } = addressesOf(settings);
  const { client_id, org_id, software_id, jwk, tls } = initiator;
  return {
    data_dir: resolve(settings.data_dir),
    back_channel: { host: settings.host, port: settings.bank_port },
    pages: { host: LOOPBACK, port: inner.pages },
    public_pages_url: pages,
    back_channel_url: back_channel,
    tls: { ca: tls.ca, ...tls.server },
    control_secret: initiator.control_secret,
    tpp: {
      client_id,
      org_id,
      software_id,
      jwks: { keys: [{ ...jwk }] },
      redirect_uris: settings.redirect_uris,
      notification_url: settings.bank_notification_url,
    },
    faster_payments: {
      url: `http://${LOOPBACK}:${inner.issuer}/faster-payments`,
      secret: initiator.faster_payments_secret,
    },
    org_id: BANKS_ORG_ID,
    latency_ms: settings.latency_ms,
  };
}

function issuerConfig(settings: AloneSettings, initiator: Initiator, inner: Inner): IssuerConfig {
  return {
    data_dir: resolve(settings.data_dir),
    host: LOOPBACK,
    port: inner.issuer,
    control_secret: initiator.control_secret,
    partner: { ...initiator.issuer, notification_url: settings.issuer_notification_url },
    faster_payments: {
      url: `http://${LOOPBACK}:${inner.pages}/faster-payments`,
      secret: initiator.faster_payments_secret,
    },
    latency_ms: settings.latency_ms,
    modes: settings.issuer_modes,
  };
}

function accountOf(settings: AloneSettings, initiator: Initiator): Account {
  const addresses = addressesOf(settings);
  const { back_channel } = addresses;
  const { org_id, software_id } = initiator;
  const place = `directory/organisation/tpp/${org_id}/software-statement/${software_id}`;
  return {
    ...addresses,
    initiator,
    banks: BRANDS.map(({ bankId, name, summary }) => ({
      bank_id: bankId,
      name,
      discovery: `${back_channel}/${bankId}`,
      resource_base: `${back_channel}/${bankId}/open-banking/v4.0/pisp`,
      summary,
    })),
    bank_org_id: BANKS_ORG_ID,
    statement: `${back_channel}/${place}/software-statement-assertion`,
  };
}

/** Starts the banks, their directory and the issuer for any initiator; resolves when all of them listen. */
export async function startAlone(
  settings: AloneSettings,
): Promise<{ account: Account; close(): Promise<void> }> {
  const initiator = await openInitiator(settings);
  const running: RunningProgram[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.close()));
  };
  try {
    const inner = { pages: await freePort(), issuer: await freePort() };
    const { host, pages_port, issuer_port } = settings;
    const { server } = initiator.tls;
    running.push(await start('issuer', issuerConfig(settings, initiator, inner)));
    running.push(await start('bank', bankConfig(settings, initiator, inner)));
    const pages = { host, port: pages_port, name: 'pages of the sandbox bank' };
    running.push(await openDoor(pages, server, inner.pages));
    const issuer = { host, port: issuer_port, name: 'sandbox issuer' };
    running.push(await openDoor(issuer, server, inner.issuer));
  } catch (error) {
    await close();
    throw error;
  }
  return { account: accountOf(settings, initiator), close };
}

async function start(name: string, config: object): Promise<RunningProgram> {
  const program = PROGRAMS[name];
  if (program === undefined) throw new Error(`The sandbox has no program ${name}`);
  return program(config as never);
}
