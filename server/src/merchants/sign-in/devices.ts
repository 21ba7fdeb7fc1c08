import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, setCookie } from '../../platform/http/calls/cookies.ts';
import type { Platform } from '../../platform/platform.ts';
import { cookiePath, SIGN_IN_PATH } from './settings.ts';

/** Browsers that have signed in to an account before: attempts from elsewhere cannot use up their tries. */
export interface Devices {
  /** Returns the id of a browser that has signed in to this account, or, without one, to any; null: it has not. */
  known(request: FastifyRequest, account?: string): string | null;
  /** Sets the cookie that identifies the browser, or extends it. Call it only for a signed-in user. */
  remember(request: FastifyRequest, reply: FastifyReply, email: string): void;
}

const NAME = 'recollect.device.';
const CONTEXT = 'sign-in:device';
const NAME_DIGITS = 12;
const ID_BYTES = 16;
/** The longest that browsers keep a cookie. */
const LIFETIME_S = 400 * 86_400;

/** Returns the name under which tries for an account are counted: a keyed hash, because it may be stored in a shared Redis. */
export function accountOf({ vault }: Pick<Platform, 'vault'>, email: string): string {
  return vault.index(email.trim().toLowerCase(), 'sign-in:account').toString('base64url');
}

/** Recognises devices by a cookie alone: the account and a random id, with our keyed hash of both. */
export function makeDevices(platform: Pick<Platform, 'vault' | 'ids' | 'config'>): Devices {
  const { vault, ids, config } = platform;
  const seal = (account: string, id: string): Buffer => vault.sign(`${account}.${id}`, CONTEXT);
  const read = (value: string): { account: string; id: string } | null => {
    const [account = '', id = '', mac = ''] = value.split('.');
    const given = Buffer.from(mac, 'base64url');
    return vault.isSigned(given, `${account}.${id}`, CONTEXT) ? { account, id } : null;
  };
  const known = (request: FastifyRequest, account?: string): string | null => {
    for (const [name, value] of cookiesOf(request)) {
      if (!name.startsWith(NAME)) continue;
      const device = read(value);
      if (device !== null && (account === undefined || device.account === account))
        return device.id;
    }
    return null;
  };
  return {
    known,
    remember(request, reply, email) {
      const account = accountOf(platform, email);
      const id = known(request, account) ?? ids.random(ID_BYTES).toString('base64url');
      const line = setCookie({
        name: `${NAME}${account.slice(0, NAME_DIGITS)}`,
        value: `${account}.${id}.${seal(account, id).toString('base64url')}`,
        path: `${cookiePath(config)}${SIGN_IN_PATH.slice('/dashboard'.length)}`,
        seconds: LIFETIME_S,
        sameSite: 'Strict',
        secure: config.baseUrl.startsWith('https:'),
      });
      reply.header('set-cookie', line);
    },
  };
}
