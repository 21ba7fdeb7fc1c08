import { isIP } from 'node:net';
import { type Mode, readModes } from '../issuer/modes.ts';

/** The settings file of a sandbox that runs alone. Every member is optional. */
export interface AloneSettings {
  /** Where keys, certificates and books are kept. */
  data_dir: string;
  /** The address that it listens on. */
  host: string;
  /** The name under which others reach it, which its certificate bears. */
  public_host: string;
  /** Ports of the banks' back channel, of their pages, and of the issuer. */
  bank_port: number;
  pages_port: number;
  issuer_port: number;
  /** Where customers return to: what the software statement allows. */
  redirect_uris: string[];
  /** Where the banks send their events; `{bank_id}` in it is replaced. */
  bank_notification_url: string;
  /** Where the issuer sends its events. */
  issuer_notification_url: string;
  issuer_modes: Mode[];
  /** Time added to every answer. */
  latency_ms: number;
}

const DEFAULTS: AloneSettings = {
  data_dir: './recollect-sandbox-data',
  host: '127.0.0.1',
  public_host: 'localhost',
  bank_port: 4011,
  pages_port: 4002,
  issuer_port: 4003,
  redirect_uris: ['http://localhost:4000/consent/callback'],
  bank_notification_url: 'http://localhost:4000/notifications/banks/{bank_id}',
  issuer_notification_url: 'http://localhost:4000/notifications/issuer',
  issuer_modes: [],
  latency_ms: 0,
};

const MOST_PORTS = 65_535;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isUrl = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);
const isPort = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_PORTS;
const isList = (value: unknown, of: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(of);

/** What each member must be: its check, and what an error says. */
const MEMBERS: Readonly<
  Record<keyof AloneSettings, readonly [check: (value: unknown) => boolean, kind: string]>
> = {
  data_dir: [isText, 'a path'],
  host: [(value) => typeof value === 'string' && isIP(value) > 0, 'an IP address'],
  public_host: [isText, 'a host name'],
  bank_port: [isPort, 'a port'],
  pages_port: [isPort, 'a port'],
  issuer_port: [isPort, 'a port'],
  redirect_uris: [(value) => isList(value, isUrl), 'a list of URLs'],
  bank_notification_url: [isUrl, 'a URL'],
  issuer_notification_url: [isUrl, 'a URL'],
  issuer_modes: [Array.isArray, 'a list of modes'],
  latency_ms: [(value) => Number.isInteger(value) && Number(value) >= 0, 'milliseconds'],
};

/** Returns the settings with their defaults. Throws an Error naming the first member that is unknown or wrong. */
export function readAloneSettings(input: unknown): AloneSettings {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Error('The settings are not a JSON object');
  for (const [name, value] of Object.entries(input)) {
    const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name as keyof AloneSettings] : null;
    if (member === null) throw new Error(`There is no setting ${name}`);
    const [isRight, kind] = member;
    if (!isRight(value)) throw new Error(`The setting ${name} must be ${kind}`);
  }
  const settings = { ...DEFAULTS, ...input };
  return { ...settings, issuer_modes: readModes(settings.issuer_modes) };
}
