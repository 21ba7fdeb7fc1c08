/** A change of a text that some test must detect. */
export interface Mutant {
  line: number;
  /** The original text, and its replacement. */
  from: string;
  to: string;
  /** The whole text with the change. */
  text: string;
}

type Rule = readonly [pattern: RegExp, to: (found: string) => string];

const drop = (): string => '';

/** Mistakes that a statement can contain and still run. */
export const STATEMENT_RULES: readonly Rule[] = [
  [/ ON CONFLICT[^`]* DO NOTHING/g, drop],
  [/ FOR UPDATE/g, drop],
  [/ORDER BY [a-z_]+(, [a-z_]+)*/g, drop],
  [/\(SELECT m, a FROM [^)]*\) AS x \(m, a\)\s+UNION /g, () => '('],
  [/\s+UNION SELECT m, a FROM [^)]*\) AS y \(m, a\)/g, drop],
  [/ - | \+ /g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  [/-amount_pence/g, () => 'amount_pence'],
  [/(?<=account_id, )amount_pence(?= FROM fresh)/g, () => '-amount_pence'],
  [/UNION ALL/g, () => 'UNION'],
  [/\s+UNION ALL SELECT merchant_id, credit_account_id[^)]*/g, drop],
  [/SELECT merchant_id, debit_account_id AS[^)]*UNION ALL (?=SELECT merchant_id, credit)/g, drop],
  [/sum\(/g, () => 'max('],
  [/sum\(/g, () => 'min('],
  [/[a-z.]*[a-z_]+ = [a-z$0-9.]*[a-z_0-9$]+ AND /g, drop],
  [/ AND [a-z.]*[a-z_]+ = [a-z$0-9.]*[a-z_0-9$]+/g, drop],
  [
    /(?<=INSERT INTO transfers \(merchant_id, )debit_account_id, credit_account_id/g,
    () => 'credit_account_id, debit_account_id',
  ],
  [/GROUP BY merchant_id, account_id/g, () => 'GROUP BY account_id, merchant_id, pence'],
  [/\$8::timestamptz/g, () => 'now()'],
  [/\$6::bigint\[\]/g, () => 'array(SELECT abs(n) FROM unnest($6::bigint[]) n)'],
];

/** Mistakes in the definition of the tables, and in the rights to what is written once. */
export const TABLE_RULES: readonly Rule[] = [
  [/,\s+CONSTRAINT accounts_not_below_zero CHECK \(.*\)/g, drop],
  [/balance_pence >= 0(?= OR)/g, () => 'balance_pence >= -1'],
  [/balance_pence >= 0(?= OR)/g, () => 'balance_pence > 0'],
  [/ OR kind IN \('outside', 'owed', 'fees'\)/g, drop],
  [/,\s+CONSTRAINT transfers_amount_above_zero CHECK \(amount_pence > 0\)/g, drop],
  [/amount_pence > 0/g, () => 'amount_pence >= 0'],
  [
    /\s+CONSTRAINT transfers_once_per_source_and_kind UNIQUE \(merchant_id, source_id, kind\),/g,
    drop,
  ],
  [/UNIQUE \(merchant_id, source_id, kind\)/g, () => 'UNIQUE (merchant_id, source_id)'],
  [/,\s+CONSTRAINT transfers_between_two_accounts CHECK \(.*\)/g, drop],
  [/(?<=GRANT SELECT, INSERT)(?= ON transfers TO recollect_engine)/g, () => ', UPDATE'],
  [/(?<=GRANT SELECT, INSERT)(?= ON transfers TO recollect_engine)/g, () => ', DELETE'],
];

/** Returns every single change that the rules make between two places of a text. Throws for a rule that matches nothing there. */
export function mutantsOf(
  text: string,
  rules: readonly Rule[],
  [from, to]: readonly [number, number] = [0, text.length],
): Mutant[] {
  return rules.flatMap(([pattern, change]) => {
    const places = [...text.matchAll(pattern)].filter(({ index }) => index >= from && index < to);
    if (places.length === 0) throw new Error(`nothing is to be changed any more by ${pattern}`);
    return places.map(({ index, 0: found }) => ({
      line: text.slice(0, index).split('\n').length,
      from: found.trim(),
      to: change(found).trim(),
      text: text.slice(0, index) + change(found) + text.slice(index + found.length),
    }));
  });
}
