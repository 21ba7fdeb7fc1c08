/** The configuration file of `main.ts bank`. Field names are those of the JSON file. */
export interface BankConfig {
  data_dir: string;
  back_channel: { host: string; port: number };
  pages: { host: string; port: number };
  /** Where browsers reach the pages, e.g. http://localhost:4010. */
  public_pages_url: string;
  /** Where the third party reaches token and resource endpoints, e.g. https://localhost:4011. */
  back_channel_url: string;
  /** Paths to PEM files; client certificates must be issued by `ca`. */
  tls: { ca: string; cert: string; key: string };
  control_secret: string;
  tpp: ThirdParty;
  faster_payments: { url: string; secret: string };
  org_id: string;
  /** Artificial latency (real time) of every back-channel response. */
  latency_ms?: number;
  /** The sandbox time at first start; defaults to real time. */
  start_at?: string;
  /** Stop when standard input closes, as it does when the parent process exits. */
  exit_with_parent?: boolean;
}

/** The third party (the payment service) known to the banks, as a directory would publish it. */
export interface ThirdParty {
  client_id: string;
  org_id: string;
  software_id: string;
  /** What customers know it by; absent: Recollect. */
  org_name?: string;
  jwks: { keys: Record<string, unknown>[] };
  redirect_uris: string[];
  /** The subject of its certificate, if that alone proves who it is at the token endpoint; absent: it signs (private_key_jwt). */
  tls_client_auth_subject_dn?: string;
  /** `{bank_id}` in it is replaced with the id of the notifying bank. */
  notification_url: string;
}

/** Returns what customers know a third party by. */
export const nameOfThirdParty = ({ org_name = 'Recollect' }: ThirdParty): string => org_name;

const TEXT_FIELDS = [
  'data_dir',
  'public_pages_url',
  'back_channel_url',
  'control_secret',
  'org_id',
  'tls.ca',
  'tls.cert',
  'tls.key',
  'tpp.client_id',
  'tpp.org_id',
  'tpp.software_id',
  'tpp.notification_url',
  'faster_payments.url',
  'faster_payments.secret',
] as const;

/** Checks a configuration; throws an Error naming the first missing field. */
export function parseBankConfig(input: unknown): BankConfig {
  for (const path of TEXT_FIELDS) {
    const value = at(input, path);
    if (typeof value !== 'string' || value === '') throw new Error(`Configuration lacks ${path}`);
  }
  for (const path of ['back_channel.port', 'pages.port']) {
    if (!Number.isInteger(at(input, path))) throw new Error(`Configuration lacks ${path}`);
  }
  for (const path of ['tpp.jwks.keys', 'tpp.redirect_uris']) {
    if (!Array.isArray(at(input, path))) throw new Error(`Configuration lacks ${path}`);
  }
  const config = input as BankConfig;
  return {
    ...config,
    back_channel: { ...config.back_channel, host: config.back_channel.host ?? '127.0.0.1' },
    pages: { ...config.pages, host: config.pages.host ?? '127.0.0.1' },
    public_pages_url: withoutSlash(config.public_pages_url),
    back_channel_url: withoutSlash(config.back_channel_url),
  };
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], value);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
