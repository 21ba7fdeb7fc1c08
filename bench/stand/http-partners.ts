import { Agent, request } from 'undici';
import type { Bank } from '../../server/src/banks/bank.ts';
import type { Issuer } from '../../server/src/wallets/issuer.ts';
import { INSTANT_BANK, INSTANT_ISSUER } from './instant-partners.ts';

/** The two partners of a collection. */
export interface PartnerPair {
  bank: Bank;
  issuer: Issuer;
}

/** Partners in this process, without any network call. */
export const IN_PROCESS: PartnerPair = { bank: INSTANT_BANK, issuer: INSTANT_ISSUER };

/** Returns the same two over HTTP, at a program that accepts everything: one HTTP call per operation, as with a real bank. */
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
