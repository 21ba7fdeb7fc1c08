import pino from 'pino';

export type Log = pino.Logger;

/** What must never stand in a log: secrets and personal data, wherever they appear in a logged object. */
const REDACTED = [
  'authorization', 'cookie', 'secret', 'api_key', 'token', 'access_token', 'refresh_token', 'phone', 'account_number',
  'sort_code', 'accountNumber', 'sortCode', 'password', 'link', 'consent_url', 'grant',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Structured logs, one JSON object a line. */
export function makeLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED, censor: '[redacted]' },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
