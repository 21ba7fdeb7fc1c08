import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent, request } from 'undici';
import type { Bank } from '../../server/src/banks/bank.ts';
import { makeCertificates } from '../../server/src/sandbox/certificates.ts';
import type { Issuer } from '../../server/src/wallets/issuer.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { INSTANT_BANK, INSTANT_ISSUER } from './instant-partners.ts';
import { awaitAnswer, RECEIVER, startProgram } from './program.ts';

/** The two partners of a collection. */
export interface PartnerPair {
  bank: Bank;
  issuer: Issuer;
}

/** Partners in this process, without any network call. */
export const IN_PROCESS: PartnerPair = { bank: INSTANT_BANK, issuer: INSTANT_ISSUER };

/**
 * Starts the merchants' receiver and the partners' program behind HTTPS, in processes of their own; returns their addresses. From
 * then on this process trusts the authority that has issued their certificate.
 */
export async function startHttpsPrograms(
  beside: AsyncDisposableStack,
): Promise<{ receiver: string; partners: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-bench-tls-'));
  beside.defer(() => rm(folder, { recursive: true, force: true }));
  const { ca, serverCert, serverKey } = await makeCertificates(folder);
  setDefaultCACertificates([...getCACertificates(), await readFile(ca, 'utf8')]);
  const ports = await freePorts(2);
  for (const port of ports)
    beside.use(startProgram(RECEIVER, [String(port), serverCert, serverKey]));
  const [receiver = '', partners = ''] = ports.map((port) => `https://127.0.0.1:${port}/`);
  for (const url of [receiver, partners]) await awaitAnswer(url);
  return { receiver, partners };
}

/** Returns the same two over HTTP, at a program that accepts everything: one call per operation, as with a real bank. */
export function httpPartners(url: string): PartnerPair & { close(): Promise<void> } {
  const dispatcher = new Agent();
  const ask = async (path: string, what: object): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(what);
    const answer = await request(`${url}${path}`, { dispatcher, method: 'POST', headers, body });
    await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  };
  const bank: Bank = {
    ...INSTANT_BANK,
    async submitPayment(grant, payment) {
      await ask('payments', payment);
      return INSTANT_BANK.submitPayment(grant, payment);
    },
  };
  const issuer: Issuer = {
    ...INSTANT_ISSUER,
    async transfer(orders) {
      await ask('transfers', orders);
      return INSTANT_ISSUER.transfer(orders);
    },
  };
  return { bank, issuer, close: () => dispatcher.destroy() };
}
