import { type Mode, readModes } from './modes.ts';

/** Configuration of the sandbox issuer, as in its JSON file. Durations in ms. */
export interface IssuerConfig {
  /** Folder of the issuer's SQLite file. */
  data_dir: string;
  port: number;
  host: string;
  /** Expected in `x-sandbox-secret` by the control endpoints. */
  control_secret: string;
  partner: {
    key_id: string;
    secret: string;
    notification_url: string;
    notification_secret: string;
  };
  /** `secret`: the bearer token of Faster Payments, both ways. `url`: where outgoing ones go; absent: nowhere. */
  faster_payments: { secret: string; url?: string };
  /** Added to every response under /v1, to simulate a remote partner. */
  latency_ms?: number;
  /** The sandbox time at first start; defaults to real time. */
  start_at?: string;
  /** The modes of `modes.ts` that are on; defaults to none. */
  modes?: Mode[];
}

/** Checks a parsed configuration file. Throws an Error naming the first invalid field. */
export function readIssuerConfig(value: unknown): IssuerConfig {
  const root = section(value, 'configuration');
  const partner = section(root.partner, 'partner');
  const fasterPayments = section(root.faster_payments, 'faster_payments');
  const config: IssuerConfig = {
    data_dir: text(root, 'data_dir'),
    port: wholeNumber(root, 'port'),
    host: text(root, 'host'),
    control_secret: text(root, 'control_secret'),
    partner: {
      key_id: text(partner, 'key_id'),
      secret: text(partner, 'secret'),
      notification_url: text(partner, 'notification_url'),
      notification_secret: text(partner, 'notification_secret'),
    },
    faster_payments: { secret: text(fasterPayments, 'secret') },
  };
  if (!URL.canParse(config.partner.notification_url)) {
    throw new Error('Issuer configuration: notification_url must be a URL');
  }
  if (fasterPayments.url !== undefined) config.faster_payments.url = text(fasterPayments, 'url');
  if (root.latency_ms !== undefined) config.latency_ms = wholeNumber(root, 'latency_ms');
  if (root.start_at !== undefined) config.start_at = text(root, 'start_at');
  if (root.modes !== undefined) config.modes = readModes(words(root, 'modes'));
  return config;
}

type Section = Record<string, unknown>;

function section(value: unknown, name: string): Section {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Section;
  throw new Error(`Issuer configuration: ${name} must be an object`);
}

function text(from: Section, name: string): string {
  const value = from[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`Issuer configuration: ${name} must be a string that is not empty`);
}

function words(from: Section, name: string): string[] {
  const value = from[name];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error(`Issuer configuration: ${name} must be a list of words`);
}

function wholeNumber(from: Section, name: string): number {
  const value = from[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`Issuer configuration: ${name} must be a whole number`);
}
