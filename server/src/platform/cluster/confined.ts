import type { Tx } from '../connection/transaction.ts';
import type { SqlValue } from '../connection/types.ts';
import { confine } from './confine.ts';
import { meaningsOf } from './merchant-parameters.ts';
import { groupInWork } from './shards.ts';

/** How many statements a process remembers in their confined form. */
const MAX_KNOWN = 5_000;
const known = new Map<string, string>();

/** Returns the confined form of a statement that binds `count` values. */
function formOf(sql: string, count: number, isOne: boolean): string {
  const key = `${isOne} ${count} ${sql}`;
  let text = known.get(key);
  if (text === undefined) {
    const place = `$${count + 1}`;
    text = confine(sql, isOne ? `= ${place}` : `= ANY (${place}::text[])`);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, text);
  }
  return text;
}

/** Whether a confined statement names the merchants, which it does if it reads or changes a distributed table. */
const isNaming = (text: string, count: number): boolean =>
  text.includes(`merchant_id = $${count + 1}`) ||
  text.includes(`merchant_id = ANY ($${count + 1}::text[])`);

type Rewritten = [sql: string, values: readonly SqlValue[]];

const rewriting = (tx: Tx, told: (sql: string, values: readonly SqlValue[]) => Rewritten): Tx => ({
  ...tx,
  rows: (sql, values = []) => tx.rows(...told(sql, values)),
  row: (sql, values = []) => tx.row(...told(sql, values)),
  run: (sql, values = []) => tx.run(...told(sql, values)),
  // One by one: Citus sends each to its shard, and would gather the rows of joined ones on the coordinator.
  insert: async (sql, values = []) => void (await tx.run(...told(sql, values))),
});

function confineTo(
  merchants: readonly string[],
  sql: string,
  values: readonly SqlValue[],
): Rewritten {
  const [only = '', ...others] = merchants;
  const text = formOf(sql, values.length, others.length === 0);
  const added = others.length === 0 ? only : [...merchants];
  return isNaming(text, values.length) ? [text, [...values, added]] : [text, values];
}

/** Confines every statement of a transaction to one merchant. */
export const confinedTo = (tx: Tx, merchantId: string): Tx =>
  rewriting(tx, (sql, values) => confineTo([merchantId], sql, values));

/** A page that begins after a row of one merchant goes on with those of others. */
const CURSOR_CONDITION = /\((?:\w+\.)?merchant_id\b[\w\s,.]*\)\s*[<>]|\bmerchant_id\s*[<>]/;

/**
 * Confines each statement of a transaction to the merchants whose ids it binds: every key begins with its merchant, so it
 * concerns no others. Which parameter is a merchant's id is read from the statement: a text that a merchant wrote never is. One
 * that binds none concerns the group for which the present work is done; without a group it reads every shard, and so does one
 * that binds what may be a merchant's id where the statement does not say so.
 */
export const confinedByKeys = (tx: Tx): Tx =>
  rewriting(tx, (sql, values) => {
    const named = CURSOR_CONDITION.test(sql) ? [] : merchantsOf(sql, values);
    if (named === null) return [sql, values];
    const merchants = named.length > 0 ? named : (groupInWork() ?? []);
    return merchants.length === 0 ? [sql, values] : confineTo(merchants, sql, values);
  });

const meanings = new Map<string, ReturnType<typeof meaningsOf>>();

/** Returns the merchants whose ids a statement binds; null: it may bind another one, and does not say. */
function merchantsOf(sql: string, values: readonly SqlValue[]): string[] | null {
  const bound = values.map((value) => merchantsIn([value]));
  if (bound.every((ids) => ids.length === 0)) return [];
  const known = meanings.get(sql) ?? meaningsOf(sql);
  if (meanings.size >= MAX_KNOWN) meanings.clear();
  meanings.set(sql, known);
  const isUnclear = bound.some((ids, place) => ids.length > 0 && !known.has(place + 1));
  if (isUnclear) return null;
  return [...new Set(bound.filter((_, place) => known.get(place + 1) === 'merchant').flat())];
}

const IS_MERCHANT = /^mer_[0-9A-Za-z]{22}$/;

const merchantsIn = (values: readonly SqlValue[]): string[] =>
  values.flatMap((value) =>
    typeof value === 'string'
      ? IS_MERCHANT.test(value)
        ? [value]
        : []
      : Array.isArray(value)
        ? merchantsIn(value)
        : [],
  );
