/** One of Modulr's error messages: `{field, code, errorCode, message, sourceService}`. */
export interface ModulrMessage {
  /** The field at fault; null: none is named. */
  field: string | null;
  code: string;
  message: string;
}

/**
 * The outcome is unknown: time-out, connection lost, 5xx, too many requests, our key rejected, an answer without a code that
 * proves a refusal. Never treat it as a failure.
 */
export class ModulrUnavailable extends Error {
  override readonly name = 'ModulrUnavailable';
  /** The request provably never left us. */
  readonly notSent: boolean;
  /** How long Modulr asked us to wait; null: it did not. */
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    options: ErrorOptions & { notSent?: boolean; retryAfterSeconds?: number | null } = {},
  ) {
    super(message, options);
    this.notSent = options.notSent ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** A definite refusal with a documented code: nothing was done. */
export class ModulrRefused extends Error {
  override readonly name = 'ModulrRefused';
  readonly status: number;
  readonly messages: readonly ModulrMessage[];

  constructor(status: number, messages: readonly ModulrMessage[]) {
    super(`Modulr refused: ${messages.map((one) => `${one.code} ${one.message}`).join('; ')}`);
    this.status = status;
    this.messages = messages;
  }

  /** Whether one of the messages has this code. */
  has(code: string): boolean {
    return this.messages.some((one) => one.code === code);
  }
}

/** What a documented code proves of the request that it answers. */
const CODE_MEANINGS = {
  BUSINESSRULE: 'refused',
  INVALID: 'refused',
  NOTACCEPTABLE: 'refused',
  NOTFOUND: 'refused',
  DUPLICATE: 'refused',
  // The document says nothing of what was done by then.
  GENERAL: 'unknown',
  CONNECTION: 'unknown',
  RETRY: 'unknown',
  RATELIMIT: 'unknown',
  // Our key or its rights are at fault, and not the order: it waits until they are put right.
  PERMISSION: 'unknown',
  TOKENEXPIRED: 'unknown',
  MFASTATUS: 'unknown',
  MFAERROR: 'unknown',
  MFATIMEOUT: 'unknown',
  MFADEVICEMM: 'unknown',
  MFAMESSAGEINVALID: 'unknown',
  MFAVERIFICATION: 'unknown',
} as const;

/** The codes of Modulr's document. */
export const MODULR_CODES = Object.keys(CODE_MEANINGS) as readonly (keyof typeof CODE_MEANINGS)[];

/**
 * Statuses under which a code counts. 401 and 403 do not: 403 also answers a repeated order whose first answer Modulr cannot
 * find, and that order may have been carried out.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 422]);

/** Returns the refusal that an answer proves; null: it proves none. */
export function refusalIn(status: number, body: string): ModulrRefused | null {
  if (!REFUSALS.has(status)) return null;
  const messages = messagesIn(body);
  const isProof = ({ code }: ModulrMessage): boolean =>
    MODULR_CODES.some((known) => known === code && CODE_MEANINGS[known] === 'refused');
  return messages.length > 0 && messages.every(isProof)
    ? new ModulrRefused(status, messages)
    : null;
}

/** Reads the messages of an error: an array, or one message alone; none if it is anything else. */
function messagesIn(body: string): ModulrMessage[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return [];
  }
  const all: unknown[] = Array.isArray(json) ? json : [json];
  return all.map((one) => {
    const { field, code, message } = (one ?? {}) as Record<string, unknown>;
    const text = (value: unknown): string => (typeof value === 'string' ? value : '');
    return { field: text(field) || null, code: text(code), message: text(message) };
  });
}
