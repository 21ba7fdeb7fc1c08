import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { errorMessage } from '../platform/values/thrown.ts';
import {
  type CamtStatement,
  type CamtUnread,
  readEntry,
  readMoney,
  signed,
  tryOut,
} from './camt-entries.ts';
import { joinPages, missingPage, type PageNumber, type PageOfStatement } from './camt-pages.ts';
import {
  CamtError,
  child,
  currencyOf,
  inner,
  list,
  type Node,
  optional,
  readDay,
  readMoment,
  text,
} from './camt-values.ts';

export type { CamtEntry, CamtStatement, CamtUnread } from './camt-entries.ts';
export { CamtError } from './camt-values.ts';

/** What a file holds. */
export interface CamtFile {
  statements: CamtStatement[];
  /** The accounts that are left out, each with the reason. */
  leftOut: string[];
}

/** The versions of camt.053 in which everything that is read here is the same. */
const VERSIONS = ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12', '13'];
const NAMESPACES = new Set(
  VERSIONS.map((version) => `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`),
);
const REPEATED = new Set(['Stmt', 'Bal', 'Ntry', 'NtryDtls', 'TxDtls']);
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads the statements of a camt.053 file: see `readCamtFiles`. */
export const readCamt = (xml: string): CamtStatement[] => readCamtFiles([xml]).statements;

/**
 * Reads the camt.053 files of a day, versions 001.02 to 001.13; a statement may have pages, in one file or several. Accounts in
 * other currencies are left out by name, and what cannot be read of a statement stands in `unread`. Rejects documents with a
 * DTD: entities are never read. Throws `CamtError` for a file that is no statement, or has none in GBP.
 */
export function readCamtFiles(files: readonly string[]): CamtFile {
  const pages: PageOfStatement[] = [];
  const leftOut: string[] = [];
  const messages: (PageNumber | null)[] = [];
  for (const xml of files) {
    const root = rootOf(xml);
    messages.push(pageOf(inner(inner(root, 'GrpHdr'), 'MsgPgntn')));
    for (const [place, node] of list(root, 'Stmt').entries()) {
      const path = `Document/BkToCstmrStmt/Stmt[${place + 1}]`;
      const account = accountOf(node, path);
      const currency = currencyOfAccount(node, path);
      if (currency === 'GBP') pages.push(readPage(node, path, account));
      else leftOut.push(`${account}: it is in ${currency}`);
    }
  }
  if (pages.length === 0)
    throw new CamtError(`there is no account in GBP: the file holds ${leftOut.join(', ')}`);
  const lacks = missingPage(messages);
  const statements = joinPages(pages).map((one) => (lacks === null ? one : { ...one, lacks }));
  return { statements, leftOut };
}

/** Returns the element that holds the statements. Throws `CamtError` if there are none. */
function rootOf(xml: string): Node {
  if (xml.length > MAX_BYTES) throw new CamtError('the file is larger than 256 MB');
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
  const document = child(parsed(parser, xml), 'Document', '');
  if (!namespacesOf(xml).some((name) => NAMESPACES.has(name)))
    throw new CamtError('Document: the namespace is none of camt.053.001.02 to camt.053.001.13');
  const root = child(document, 'BkToCstmrStmt', 'Document');
  if (list(root, 'Stmt').length === 0)
    throw new CamtError('Document/BkToCstmrStmt/Stmt is missing');
  return root;
}

/** Returns the parsed document. Throws `CamtError` where the parser refuses it, as it does thousands of nested elements. */
function parsed(parser: XMLParser, xml: string): Node {
  try {
    return parser.parse(xml) as Node;
  } catch (error) {
    throw new CamtError(`the file is not read: ${errorMessage(error)}`);
  }
}

/** Reads the namespaces from the text of the first tag, because the parser drops them. */
function namespacesOf(xml: string): string[] {
  const [tag = ''] = /<(?:[\w.-]+:)?Document\b[^>]*>/.exec(xml) ?? [];
  return [...tag.matchAll(/xmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']/g)].map(
    ([, name = '']) => name,
  );
}

function accountOf(node: Node, path: string): string {
  const id = child(child(node, 'Acct', path), 'Id', `${path}/Acct`);
  const account = optional(id, 'IBAN') ?? optional(inner(id, 'Othr'), 'Id');
  if (account === null) throw new CamtError(`${path}/Acct/Id has neither IBAN nor Othr/Id`);
  return account;
}

/**
 * Returns the currency of an account: what it says, or else what its balances or entries are in. Throws `CamtError` where its
 * balances are in GBP and in others too, because nobody can tell what it is.
 */
function currencyOfAccount(node: Node, path: string): string {
  const own = optional(inner(node, 'Acct'), 'Ccy');
  if (own !== null) return own;
  const balances = list(node, 'Bal').map((one) => currencyOf(one.Amt));
  const other = balances.findIndex((one) => one !== 'GBP');
  if (other >= 0 && balances.includes('GBP'))
    throw new CamtError(`${path}/Bal[${other + 1}]/Amt must be in GBP`);
  const entries = list(node, 'Ntry').map((one) => currencyOf(one.Amt));
  const all = balances.length > 0 ? balances : entries;
  return all.length === 0 || all.includes('GBP') ? 'GBP' : (all[0] ?? 'no currency');
}

/** Returns a page's number and whether it is the last; null: there are no pages. */
function pageOf(node: Node): PageNumber | null {
  const number = Number(optional(node, 'PgNb') ?? Number.NaN);
  const isLast = ['true', '1'].includes(text(node.LastPgInd));
  return Number.isInteger(number) ? { number, isLast } : null;
}

function readPage(node: Node, path: string, account: string): PageOfStatement {
  const unread: CamtUnread[] = [];
  const balances = new Map<string, Balance>();
  for (const [place, one] of list(node, 'Bal').entries()) {
    const at = `${path}/Bal[${place + 1}]`;
    const code = optional(inner(inner(one, 'Tp'), 'CdOrPrtry'), 'Cd');
    if (code === null || !READ_BALANCES.has(code)) continue;
    const balance = tryOut(() => readBalance(one, at));
    if (typeof balance !== 'string') balances.set(code, balance);
    else unread.push({ place: at, why: balance, bookedOn: null, signedPence: null });
  }
  const opening = balances.get('OPBD') ?? balances.get('PRCD');
  const closing = balances.get('CLBD');
  const days = daysOf(node, path, balances);
  const single = days?.from.equals(days.to) ? days.to : null;
  const read = list(node, 'Ntry').map((one, place) =>
    readEntry(one, `${path}/Ntry[${place + 1}]`, single),
  );
  return {
    id: optional(node, 'Id'),
    page: pageOf(inner(node, 'StmtPgntn')),
    statement: {
      account,
      from: days?.from,
      to: days?.to,
      openingPence: opening?.pence ?? null,
      closingPence: closing?.pence ?? null,
      entries: read.flatMap((one) => one.entries),
      unread: [...unread, ...read.flatMap((one) => one.unread)],
    },
  };
}

/** Balances of what was booked, when a statement begins and when it ends. */
const READ_BALANCES = new Set(['OPBD', 'PRCD', 'CLBD']);

interface Balance {
  pence: number;
  /** Null: it is not there, or cannot be read. */
  day: Temporal.PlainDate | null;
}

function readBalance(node: Node, path: string): Balance {
  const day = tryOut(() => readDay(inner(node, 'Dt'), `${path}/Dt`));
  return { pence: signed(readMoney(node, path)), day: typeof day === 'string' ? null : day };
}

/** Returns the days that a statement is of: by its period, or else by the dates of its balances. Null: neither is there. */
function daysOf(
  node: Node,
  path: string,
  balances: ReadonlyMap<string, Balance>,
): { from: Temporal.PlainDate; to: Temporal.PlainDate } | null {
  const period = inner(node, 'FrToDt');
  const read = (name: string): Temporal.ZonedDateTime | null => {
    const value = optional(period, name);
    const moment = value === null ? '' : tryOut(() => readMoment(value, `${path}/FrToDt/${name}`));
    return typeof moment === 'string' ? null : moment;
  };
  const [begin, end] = [read('FrDtTm'), read('ToDtTm')];
  if (begin !== null && end !== null && Temporal.ZonedDateTime.compare(begin, end) <= 0) {
    const from = begin.toPlainDate();
    const isMidnight = end.equals(end.startOfDay()) && !end.equals(begin);
    return { from, to: isMidnight ? end.subtract({ days: 1 }).toPlainDate() : end.toPlainDate() };
  }
  const dayOf = (code: string): Temporal.PlainDate | null => balances.get(code)?.day ?? null;
  const to = dayOf('CLBD') ?? dayOf('OPBD');
  if (to === null) return null;
  const from = dayOf('OPBD') ?? dayOf('PRCD')?.add({ days: 1 }) ?? to;
  return Temporal.PlainDate.compare(from, to) <= 0 ? { from, to } : { from: to, to };
}
