import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../values/errors.ts';
import { inexact } from '../schemas/exact-json.ts';

/** Decodes UTF-8, without its byte order mark. Throws 400 `invalid_request` for bytes that are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array, field = 'body'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid({ [field]: 'is not UTF-8' });
  }
}

/**
 * Parses a JSON body. Throws 400 for what is not UTF-8 or no JSON, and where readers of JSON differ: numbers that change, and
 * names that stand twice. A name such as `__proto__` becomes an own property like any other.
 */
function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid({ body: 'is not valid JSON' });
  }
  const details = inexact(text);
  if (Object.keys(details).length > 0) throw invalid(details);
  return value;
}

/** Calls a parser's callback with what `read` returns or throws. */
function answer(done: (error: Error | null, body?: unknown) => void, read: () => unknown): void {
  let body: unknown;
  try {
    body = read();
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

/**
 * Accepts JSON only; an empty body is fine where nothing is required. Schemas say where names are free. To copy an object with
 * free names, spread it (or use `Object.fromEntries`), which sets no prototype.
 */
export function acceptOnlyJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) =>
    answer(done, () => parseJson(bytes as Buffer)),
  );
}

/** Accepts forms of our own pages only. */
export async function acceptOnlyForms(scope: FastifyInstance, bodyLimit?: number): Promise<void> {
  scope.removeAllContentTypeParsers();
  await scope.register(formbody, { ...(bodyLimit && { bodyLimit }), parser: readForm });
}

/** Reads a form. It is ASCII by its format, and UTF-8 once its escapes are read; throws 400 for anything else. */
function readForm(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
  if (!/^[\x00-\x7f]*$/.test(text)) throw invalid({ body: 'is not a form in UTF-8' });
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=').map(unescaped);
    const value = rest.join('=');
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return { ...fields };
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    throw invalid({ body: 'is not a form in UTF-8' });
  }
}

/** Throws 400 for a query whose escapes are no UTF-8: it would be read as other text than was sent. */
export function refuseUnreadableQuery(url: string): void {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  try {
    decodeURIComponent(query);
  } catch {
    throw invalid({ query: 'has escapes that are not UTF-8' });
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)"?/gi;
const UTF_8 = /^utf-?8$/i;

/**
 * Refuses bodies that are compressed or in another character set than UTF-8, with 415: they would be read as something else than
 * was sent. Signed notices are refused too, before their signature is looked at.
 */
export function refuseOtherEncodings(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers }: FastifyRequest) => {
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
      return;
    const coding = headers['content-encoding']?.trim() ?? '';
    if (coding !== '' && coding.toLowerCase() !== 'identity')
      throw new ApiError(
        'unsupported_media_type',
        `Send the body without Content-Encoding ${coding.slice(0, 40)}: compressed bodies are not read.`,
      );
    const type = headers['content-type'] ?? '';
    for (const [, charset = ''] of type.includes(';') ? type.matchAll(CHARSET) : [])
      if (!UTF_8.test(charset))
        throw new ApiError(
          'unsupported_media_type',
          `Send the body in UTF-8, not in charset ${charset.slice(0, 40)}.`,
        );
  });
}
