import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../../merchants/keys/key-service.ts';
import { createMerchant } from '../../merchants/service.ts';
import { createSignInLink } from '../../merchants/sign-in/links/links.ts';
import { findUserByEmail } from '../../merchants/sign-in/user-store.ts';
import { addMember } from '../../merchants/team/service.ts';
import { createUser } from '../../merchants/team/users.ts';
import { operatorAuthenticator } from '../../operators/access/authenticate.ts';
import { lockOperator } from '../../operators/access/books/store.ts';
import { insertKey } from '../../operators/access/keys.ts';
import { createOperator } from '../../operators/access/service.ts';
import { planMerchantWallet } from '../../wallets/service.ts';
import type { Running } from './assemble.ts';
import { credentialsOfOwner, type OwnerCredentials } from './sandbox-owner.ts';

/** The contents of `$DATA_DIR/sandbox.json`, written for other programs once everything responds. */
export interface SandboxFile extends OwnerCredentials {
  base_url: string;
  api_key: string;
  merchant_id: string;
  portal_url: string;
  dashboard_url: string;
  owner_email: string;
  bank_url: string;
  issuer_url: string;
  operator_url: string;
  /** Null: the sandbox's operator was removed. */
  operator_key: string | null;
  /** The key of the second one, with whom what takes two can be tried. */
  second_operator_key: string | null;
}

/** The sandbox's merchant: a broadband provider whose account details are a published test pair. */
const SANDBOX_MERCHANT = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  email: 'help@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 Fern Hill, Leeds LS1 4AP',
  terms:
    'You pay for each month in advance. You can cancel at any time, here or in your banking app; what was paid for a month that has begun is not paid back.',
  settlementAccount: {
    sortCode: '089999',
    accountNumber: '66374958',
    name: 'Fernhill Broadband Ltd',
  },
};

/** The owner of the sandbox's merchant; the link on the start screen signs them in. */
const OWNER = { email: 'owner@fernhill.example', name: 'Robin Fern', role: 'owner' } as const;

/** The names of the sandbox's operators: what takes two can be tried. */
const OPERATORS = ['Sandbox', 'Sandbox second'] as const;
const FIRST_START = 'the first start';

const sandboxFilePath = (dataDir: string): string => join(dataDir, 'sandbox.json');

/** Returns the file that an earlier start wrote, or null. */
export function readSandboxFile(dataDir: string): SandboxFile | null {
  const path = sandboxFilePath(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SandboxFile) : null;
}

/**
 * Opens the sandbox's merchant with its owner and API key: created on the first start, found on later ones. Writes
 * `$DATA_DIR/sandbox.json`, so call it when everything responds.
 */
export async function openSandboxMerchant(running: Running): Promise<SandboxFile> {
  const { config, platform, sandbox, service } = running;
  if (sandbox === null) throw new Error('there is no sandbox in live mode');
  const known = readSandboxFile(config.dataDir);
  const holder = known === null ? null : await service.authenticate(known.api_key);
  const { merchantId, apiKey } =
    known === null || holder === null
      ? await makeMerchant(running)
      : { merchantId: holder.merchantId, apiKey: known.api_key };
  await keepOwner(running, merchantId, holder === null);
  const file: SandboxFile = {
    base_url: config.baseUrl,
    api_key: apiKey,
    merchant_id: merchantId,
    portal_url: `${config.baseUrl}/consent`,
    dashboard_url: `${config.baseUrl}/dashboard`,
    owner_email: OWNER.email,
    ...(await credentialsOfOwner(platform, OWNER.email, known)),
    bank_url: sandbox.partners.bankUrl,
    issuer_url: sandbox.partners.issuerUrl,
    operator_url: running.operatorUrl,
    operator_key: await operatorKey(running, OPERATORS[0], known?.operator_key),
    second_operator_key: await operatorKey(running, OPERATORS[1], known?.second_operator_key),
  };
  const path = sandboxFilePath(config.dataDir);
  writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  platform.wake();
  return file;
}

/** Returns the key of one of the sandbox's operators: the known one while it is valid, else a new one. */
async function operatorKey(
  { platform }: Running,
  name: string,
  known: string | null = null,
): Promise<string | null> {
  const holder = known === null ? null : await operatorAuthenticator(platform)(known);
  if (holder !== null) return known;
  const now = platform.clock.now();
  return platform.db.transaction(async (tx) => {
    const work = { platform, tx, now };
    const operator = await lockOperator(tx, name);
    if (operator === null) return (await createOperator(work, name, FIRST_START)).secret;
    if (operator.removedAt !== null) return null;
    return (await insertKey(work, operator.operatorId, { name: FIRST_START })).secret;
  });
}

/** Creates a link that signs in the owner of the sandbox's merchant once; every start gets a new one. */
export async function ownerLink({ platform }: Running): Promise<string> {
  const link = await platform.db.transaction((tx) => createSignInLink(platform, tx, OWNER.email));
  return link.url;
}

/** Adds the owner to a new merchant, or to one that is older than the dashboard. A removed owner stays removed. */
async function keepOwner({ platform }: Running, merchantId: string, isNew: boolean): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const known = await findUserByEmail(tx, OWNER.email);
    const asked = { tx, now: platform.clock.now(), merchantId, actorId: FIRST_START };
    if (known === null) await createUser(platform, asked, OWNER);
    else if (isNew) await addMember(platform, asked, known.userId, OWNER.role);
  });
}

async function makeMerchant({
  platform,
}: Running): Promise<{ merchantId: string; apiKey: string }> {
  const now = platform.clock.now();
  const merchant = await createMerchant(platform, SANDBOX_MERCHANT, (tx, merchantId) =>
    planMerchantWallet(platform, { tx, now, merchantId }),
  );
  const { merchantId } = merchant;
  const key = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now, merchantId }, 'sandbox', 'made on the first start'),
  );
  return { merchantId, apiKey: key.secret };
}
