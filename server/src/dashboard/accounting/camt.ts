import type { Statement, StatementKind } from '../reports/statement-view.ts';
import { poundsOf } from '../settlements/csv.ts';

/** A movement of the merchant's wallet. */
export interface CamtMovement {
  transferId: string;
  kind: StatementKind;
  /** In the merchant's time zone. */
  day: Temporal.PlainDate;
  /** Below zero: out of the wallet. */
  pence: number;
  /** The payment, the refund, or what stands on the merchant's bank statement. */
  reference: string;
}

/** The wallet of a statement, and the moments at which it begins and ends, in the merchant's time zone. */
export interface CamtFrame {
  account: string;
  since: Temporal.ZonedDateTime;
  until: Temporal.ZonedDateTime;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
/** The longest reference, and the longest name and remittance, that the schema allows. */
const MAX_REFERENCE = 35;
const MAX_TEXT = 140;
/** What no XML 1.0 document may have, escaped or not. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
/** By name: not every reader of statements knows the numbers of characters. */
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' } as const;

const WORDS: Readonly<Record<StatementKind, string>> = {
  payments: 'Payment',
  refunds: 'Refund',
  fees: 'Fee of',
  recalled: 'Recalled payment',
  settlements: 'Settlement',
  came_back: 'Came back:',
  other: 'Other:',
};

/** Returns a text of others as it may stand in an element, no longer than `most`. */
function xmlText(text: string, most: number): string {
  const characters = [...text.replace(NO_XML, '')].slice(0, most);
  return characters.map((one) => ESCAPES[one as keyof typeof ESCAPES] ?? one).join('');
}

/** Returns an amount and its side, which the schema keeps apart: an amount is never below zero. */
const amountXml = (pence: number): string =>
  `<Amt Ccy="GBP">${poundsOf(Math.abs(pence))}</Amt><CdtDbtInd>${pence < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

const balanceXml = (code: string, pence: number, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amountXml(pence)}<Dt><Dt>${day}</Dt></Dt></Bal>
`;

const momentOf = (at: Temporal.ZonedDateTime): string =>
  at.toString({ timeZoneName: 'never', smallestUnit: 'second' });

/** Returns the statement of a month as camt.053.001.08 up to its first entry: the account and its balances. */
export function camtBegin(statement: Statement, { account, since, until }: CamtFrame): string {
  const { merchant, month, from, to, as_of, currency, opening, closing } = statement;
  const owner = merchant.legal_name === '' ? merchant.name : merchant.legal_name;
  const name = xmlText(owner, MAX_TEXT);
  const id = `${account}-${month.replace('-', '')}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>
<GrpHdr><MsgId>${id}</MsgId><CreDtTm>${as_of}</CreDtTm></GrpHdr>
<Stmt><Id>${id}</Id><CreDtTm>${as_of}</CreDtTm>
<FrToDt><FrDtTm>${momentOf(since)}</FrDtTm><ToDtTm>${momentOf(until)}</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy><Ownr><Nm>${name}</Nm></Ownr></Acct>
${balanceXml('OPBD', opening, from)}${balanceXml('CLBD', closing, to)}`;
}

/** Returns a movement as an entry. */
export function camtEntry({ transferId, kind, day, pence, reference }: CamtMovement): string {
  const isShort = reference.length <= MAX_REFERENCE;
  const named = `<Refs><EndToEndId>${xmlText(reference, MAX_REFERENCE)}</EndToEndId></Refs>`;
  const about = xmlText(`${WORDS[kind]} ${reference}`, MAX_TEXT);
  return `<Ntry><NtryRef>${transferId}</NtryRef>${amountXml(pence)}<Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${transferId}</AcctSvcrRef>
<BkTxCd><Prtry><Cd>${kind}</Cd></Prtry></BkTxCd>
<NtryDtls><TxDtls>${isShort ? named : ''}<RmtInf><Ustrd>${about}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
`;
}

/** What follows the last entry. */
export const CAMT_END = '</Stmt></BkToCstmrStmt></Document>\n';
