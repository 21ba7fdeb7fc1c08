import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An entry of a bank statement. */
export interface CamtEntry {
  /** Its position in the file, for people. */
  place: string;
  direction: 'credit' | 'debit';
  amountPence: number;
  bookedOn: Temporal.PlainDate;
  endToEndId: string | null;
  /** The bank's own name for it. */
  servicerReference: string | null;
}

/** The statement of one account. */
export interface CamtStatement {
  /** The account's id in the file: an IBAN, or the bank's own. */
  account: string;
  openingPence: number;
  closingPence: number;
  entries: CamtEntry[];
}

/** A file that is no camt.053 statement; the message names the element. */
export class CamtError extends Error {
  override readonly name = 'CamtError';
}

type Node = Record<string, unknown>;

const NAMESPACES = new Set(
  ['02', '08'].map((version) => `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`),
);
const REPEATED = new Set(['Stmt', 'Bal', 'Ntry', 'NtryDtls', 'TxDtls']);
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads a camt.053 statement, version 001.02 or 001.08. Rejects documents with a DTD: entities are never read. Throws
 * `CamtError` naming the element that is missing or wrong.
 */
export function readCamt(xml: string): CamtStatement[] {
  if (xml.length > MOST_BYTES) throw new CamtError('the file is larger than 256 MB');
  if (/<!DOCTYPE|<!ENTITY/i.test(xml))
    throw new CamtError('the file has a DOCTYPE, which a statement never needs: it is not read');
  const valid = XMLValidator.validate(xml);
  if (valid !== true)
    throw new CamtError(
      `line ${valid.err.line}: the file is not well-formed XML: ${valid.err.msg}`,
    );
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    isArray: (name) => REPEATED.has(name),
  });
  const document = child(parser.parse(xml) as Node, 'Document', '');
  if (!namespacesOf(xml).some((name) => NAMESPACES.has(name)))
    throw new CamtError('Document: the namespace is neither camt.053.001.02 nor camt.053.001.08');
  const root = child(document, 'BkToCstmrStmt', 'Document');
  const statements = list(root, 'Stmt');
  if (statements.length === 0) throw new CamtError('Document/BkToCstmrStmt/Stmt is missing');
  return statements.map((one, place) =>
    readStatement(one, `Document/BkToCstmrStmt/Stmt[${place + 1}]`),
  );
}

/** Reads the namespaces from the text of the first tag, because the parser drops them. */
function namespacesOf(xml: string): string[] {
  const [tag = ''] = /<(?:[\w.-]+:)?Document\b[^>]*>/.exec(xml) ?? [];
  return [...tag.matchAll(/xmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(
    ([, name = '']) => name,
  );
}

function readStatement(node: Node, path: string): CamtStatement {
  const at = `${path}/Acct/Id`;
  const id = child(child(node, 'Acct', path), 'Id', `${path}/Acct`);
  const account = optional(id, 'IBAN') ?? optional(inner(id, 'Othr'), 'Id');
  if (account === null) throw new CamtError(`${at} has neither IBAN nor Othr/Id`);
  const balances = list(node, 'Bal').map((one, place) =>
    readBalance(one, `${path}/Bal[${place + 1}]`),
  );
  const balance = (...codes: string[]): number => {
    const found = balances.find((one) => codes.includes(one.code));
    if (found === undefined)
      throw new CamtError(`${path}/Bal with the code ${codes[0]} is missing`);
    return found.pence;
  };
  const openingPence = balance('OPBD', 'PRCD');
  const closingPence = balance('CLBD');
  const entries = list(node, 'Ntry').flatMap((one, place) =>
    readEntry(one, `${path}/Ntry[${place + 1}]`),
  );
  return { account, openingPence, closingPence, entries };
}

function readBalance(node: Node, path: string): { code: string; pence: number } {
  const type = child(child(node, 'Tp', path), 'CdOrPrtry', `${path}/Tp`);
  const code = optional(type, 'Cd') ?? '';
  const { pence, direction } = readMoney(node, path);
  return { code, pence: direction === 'credit' ? pence : -pence };
}

/**
 * Reads one entry; a batch that lists its payments becomes one entry for each of them. An entry that is not booked is left
 * out: it comes with another statement.
 */
function readEntry(node: Node, path: string): CamtEntry[] {
  const status = inner(node, 'Sts');
  const isBooked = (optional(status, 'Cd') ?? text(node.Sts)) === 'BOOK';
  if (node.Sts === undefined) throw new CamtError(`${path}/Sts is missing`);
  if (!isBooked) return [];
  const { pence, direction } = readMoney(node, path);
  const date = child(node, 'BookgDt', path);
  const bookedOn = readDate(
    optional(date, 'Dt') ?? optional(date, 'DtTm')?.slice(0, 10) ?? '',
    `${path}/BookgDt`,
  );
  const details = list(node, 'NtryDtls').flatMap((one) => list(one, 'TxDtls'));
  const own = optional(node, 'AcctSvcrRef');
  const entry = { place: path, direction, bookedOn };
  if (details.length <= 1) {
    const refs = inner(details[0] ?? {}, 'Refs');
    const servicerReference = optional(refs, 'AcctSvcrRef') ?? own;
    const endToEndId = named(optional(refs, 'EndToEndId'));
    return [{ ...entry, amountPence: pence, endToEndId, servicerReference }];
  }
  const parts = details.map((one, index) => {
    const at = `${path}/NtryDtls/TxDtls[${index + 1}]`;
    const refs = inner(one, 'Refs');
    const nested = inner(inner(one, 'AmtDtls'), 'TxAmt');
    const amountPence = readAmount(one.Amt ?? nested.Amt, `${at}/Amt`);
    const endToEndId = named(optional(refs, 'EndToEndId'));
    return {
      ...entry,
      place: at,
      amountPence,
      endToEndId,
      servicerReference: optional(refs, 'AcctSvcrRef'),
    };
  });
  const sum = parts.reduce((all, one) => all + one.amountPence, 0);
  if (sum !== pence)
    throw new CamtError(`${path}/Amt is ${pence} pence, its TxDtls are ${sum} pence`);
  return parts;
}

const named = (id: string | null): string | null => (id === 'NOTPROVIDED' ? null : id);

function readMoney(node: Node, path: string): { pence: number; direction: 'credit' | 'debit' } {
  const pence = readAmount(node.Amt, `${path}/Amt`);
  const indicator = text(node.CdtDbtInd);
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw new CamtError(`${path}/CdtDbtInd must be CRDT or DBIT`);
  return { pence, direction: indicator === 'CRDT' ? 'credit' : 'debit' };
}

/** Reads an amount from its digits: no floating point. */
function readAmount(value: unknown, path: string): number {
  const currency =
    typeof value === 'object' && value !== null ? (value as Node)['@Ccy'] : undefined;
  if (currency !== 'GBP') throw new CamtError(`${path} must be in GBP`);
  const [, pounds, pence = ''] = /^(\d{1,13})(?:\.(\d{0,5}))?$/.exec(text(value)) ?? [];
  if (pounds === undefined || /[1-9]/.test(pence.slice(2)))
    throw new CamtError(`${path} must be an amount such as 49.99`);
  return Number(pounds) * 100 + Number(pence.slice(0, 2).padEnd(2, '0'));
}

function readDate(value: string, path: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(value);
  } catch {
    throw new CamtError(`${path} must be a date such as 2026-11-23`);
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null) return '';
  return text((value as Node)['#text']);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

const inner = (node: Node, name: string): Node => {
  const found = node[name];
  return isNode(found) ? found : {};
};

function child(node: Node, name: string, path: string): Node {
  const found = node[name];
  if (!isNode(found) || Array.isArray(found))
    throw new CamtError(`${path === '' ? '' : `${path}/`}${name} is missing`);
  return found;
}

const optional = (node: Node, name: string): string | null => text(node[name]) || null;

const list = (node: Node, name: string): Node[] => {
  const found = node[name];
  return Array.isArray(found) ? found.map((one) => (isNode(one) ? one : {})) : [];
};
