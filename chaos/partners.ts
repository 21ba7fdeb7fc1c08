import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePartnerControl, type PartnerControl } from '../server/src/sandbox/control.ts';
import type { SandboxFolder } from '../server/src/sandbox/folder.ts';
import { ISSUER_KEY_ID, THIRD_PARTY } from '../server/src/sandbox/partner-configs.ts';
import { FIRM_ENV } from '../server/test-support/firm.ts';
import { freePorts } from '../server/test-support/free-ports.ts';
import { Program } from './program.ts';
import { Wire } from './wire.ts';
import type { WorldClock } from './world-clock.ts';

/** The sandbox's bank and issuer as programs that are never killed, and the lines that lead to them. */
export interface Partners {
  bank: Program;
  issuer: Program;
  wires: { bank: Wire; issuer: Wire; creditor: Wire };
  /** The address of the banks' pages; https, as a live service requires. */
  pages: Wire;
  /** The port of the bank's back channel, where `wires.bank` leads. */
  bankPort: number;
  control: PartnerControl;
  /** The service's settings for them. */
  env: Readonly<Record<string, string>>;
}

/** The service's addresses for its partners: for merchants and customers, and for notifications. */
export interface ServiceAddresses {
  baseUrl: string;
  noticesUrl: string;
}

const BANKS_ORG_ID = 'sandboxbanks';
const MAIN = 'sandbox/src/main.ts';

/** Starts both programs; resolves when they are ready. */
export async function startPartners(
  dir: string,
  folder: SandboxFolder,
  clock: WorldClock,
  service: ServiceAddresses,
): Promise<Partners> {
  const [bankPort = 0, pagesPort = 0, issuerPort = 0] = await freePorts(3);
  const { certificates } = folder;
  const tls = {
    cert: readFileSync(certificates.serverCert),
    key: readFileSync(certificates.serverKey),
  };
  const wires = {
    bank: await Wire.open([bankPort]),
    issuer: await Wire.open([issuerPort], tls),
    creditor: await Wire.open([issuerPort]),
  };
  const pages = await Wire.open([pagesPort], tls);
  const at = { bankPort, pagesPort, issuerPort, wires, pages, service };
  const bank = program(dir, clock, 'bank', bankConfig(dir, folder, at), pagesPort);
  const issuer = program(dir, clock, 'issuer', issuerConfig(dir, folder, at), issuerPort);
  for (const one of [bank, issuer]) one.start();
  await Promise.all([bank.ready(), issuer.ready()]);
  const control = makePartnerControl({
    bankUrl: `http://localhost:${pagesPort}`,
    issuerUrl: `http://127.0.0.1:${issuerPort}`,
    secret: folder.secrets.control,
  });
  const banksFile = join(dir, 'banks.json');
  writeFileSync(banksFile, JSON.stringify({ banks: await connections(dir, folder, control) }));
  return {
    ...{ bank, issuer, wires, pages, bankPort, control },
    env: {
      ...FIRM_ENV,
      BANKS_FILE: banksFile,
      ISSUER_URL: `https://localhost:${wires.issuer.port}`,
      ISSUER_KEY_ID,
      ISSUER_SECRET: folder.secrets.issuer,
      ISSUER_NOTIFICATION_SECRET: folder.secrets.notifications,
    },
  };
}

interface Addresses {
  bankPort: number;
  pagesPort: number;
  issuerPort: number;
  wires: Partners['wires'];
  pages: Wire;
  service: ServiceAddresses;
}

function bankConfig(dir: string, folder: SandboxFolder, at: Addresses): object {
  const { certificates, secrets, signing } = folder;
  const { baseUrl, noticesUrl } = at.service;
  return {
    data_dir: join(dir, 'bank'),
    back_channel: { host: '127.0.0.1', port: at.bankPort },
    pages: { host: '127.0.0.1', port: at.pagesPort },
    public_pages_url: `https://localhost:${at.pages.port}`,
    back_channel_url: `https://localhost:${at.wires.bank.port}`,
    tls: { ca: certificates.ca, cert: certificates.serverCert, key: certificates.serverKey },
    control_secret: secrets.control,
    tpp: {
      ...THIRD_PARTY,
      jwks: { keys: [signing.publicJwk] },
      redirect_uris: [`${baseUrl}/consent/callback`],
      notification_url: `${noticesUrl}/notifications/banks/{bank_id}`,
    },
    faster_payments: {
      url: `http://127.0.0.1:${at.wires.creditor.port}/faster-payments`,
      secret: secrets.fasterPayments,
    },
    org_id: BANKS_ORG_ID,
    exit_with_parent: true,
  };
}

function issuerConfig(dir: string, { secrets }: SandboxFolder, at: Addresses): object {
  return {
    data_dir: join(dir, 'issuer'),
    host: '127.0.0.1',
    port: at.issuerPort,
    control_secret: secrets.control,
    partner: {
      key_id: ISSUER_KEY_ID,
      secret: secrets.issuer,
      notification_url: `${at.service.noticesUrl}/notifications/issuer`,
      notification_secret: secrets.notifications,
    },
    faster_payments: { secret: secrets.fasterPayments },
    exit_with_parent: true,
  };
}

function program(
  dir: string,
  clock: WorldClock,
  name: 'bank' | 'issuer',
  config: object,
  port: number,
): Program {
  const file = join(dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  let isReady = false;
  return new Program({
    name,
    args: [MAIN, name, '--config', file],
    env: { CHAOS_CLOCK: clock.fileOf(name), CHAOS_RECEIVER_PORT: String(port) },
    logFile: join(dir, `${name}.log`),
    isReady: async () => isReady,
    heard: (line) => {
      isReady ||= line.includes('"ready":true');
    },
  });
}

/** Writes the file of bank connections as an operator would. */
async function connections(
  dir: string,
  { certificates, signing }: SandboxFolder,
  control: PartnerControl,
): Promise<object[]> {
  const keyFile = join(dir, 'signing.jwk.json');
  writeFileSync(keyFile, JSON.stringify(signing.privateJwk), { mode: 0o600 });
  const { ca, clientCert: cert, clientKey: key } = certificates;
  return (await control.banks()).map(
    ({ bank_id, name, issuer, resource_base, org_id, jwks_uri }) => ({
      ...{ bank_id, name, issuer, resource_base },
      ...THIRD_PARTY,
      ...{ bank_org_id: org_id, bank_jwks_uri: jwks_uri },
      tls: { ca, cert, key },
      signing_jwk: keyFile,
    }),
  );
}
