import { hashOf, unsealedFrom } from '../seals/seal-store.ts';
import { bySql, type Law } from './law.ts';

/** The two sides of transfers: what each adds to an account. */
const sides = (transfers: string): string =>
  `SELECT merchant_id, credit_account_id AS account_id, amount_pence AS pence FROM ${transfers}
   UNION ALL SELECT merchant_id, debit_account_id, -amount_pence FROM ${transfers}`;

/** Where the transfers of each merchant begin that are not sealed. */
const UNSEALED = `unsealed AS (
  SELECT t.merchant_id, t.credit_account_id, t.debit_account_id, t.amount_pence FROM (
    SELECT m.merchant_id, ${unsealedFrom('m.merchant_id')} AS from_id
    FROM (SELECT DISTINCT merchant_id FROM scope) m OFFSET 0) m
  JOIN transfers t ON t.merchant_id = m.merchant_id AND t.transfer_id >= m.from_id)`;

const differs = (claimed: string): string =>
  `SELECT merchant_id, account_id AS id, merchant_id || ' ' || account_id || ' has ' || sum(balance) || ', ${claimed} '
     || sum(pence) AS what
   FROM lines GROUP BY merchant_id, account_id HAVING bool_or(is_asked) AND sum(balance) <> sum(pence)`;

/** Every balance is its sealed sum, and the transfers after the seal. */
const AS_SEALED = bySql(
  'account',
  differs('its transfers say'),
  `${UNSEALED}, lines AS (
     SELECT a.merchant_id, a.account_id, a.balance_pence AS balance, 0 AS pence, true AS is_asked
     FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id AND a.account_id = k.id
     UNION ALL
     SELECT s.merchant_id, s.account_id, 0, s.pence, false
     FROM scope k JOIN account_seals s ON s.merchant_id = k.merchant_id AND s.account_id = k.id
     UNION ALL SELECT merchant_id, account_id, 0, pence, false FROM (${sides('unsealed')}) late)`,
);

/** Every balance is the sum of all transfers, whatever is sealed. */
const AS_TRANSFERRED = bySql(
  'merchant',
  differs('its transfers say'),
  `moved AS (SELECT t.merchant_id, t.credit_account_id, t.debit_account_id, t.amount_pence
     FROM scope k JOIN transfers t ON t.merchant_id = k.merchant_id),
   lines AS (
     SELECT a.merchant_id, a.account_id, a.balance_pence AS balance, 0 AS pence, true AS is_asked
     FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id
     UNION ALL SELECT merchant_id, account_id, 0, pence, false FROM (${sides('moved')}) every)`,
);

/** Every sealed sum is the sum of the transfers that it covers. */
const SEALS_AS_TRANSFERRED = bySql(
  'merchant',
  `SELECT merchant_id, id, merchant_id || ' ' || account_id || ' is sealed with ' || sum(balance) || ', its transfers say '
     || sum(pence) AS what
   FROM lines GROUP BY merchant_id, id, account_id HAVING sum(balance) <> sum(pence)`,
  `sealed AS (
     SELECT t.merchant_id, t.credit_account_id, t.debit_account_id, t.amount_pence FROM (
       SELECT m.merchant_id, ${unsealedFrom('m.merchant_id')} AS to_id FROM scope m OFFSET 0) m
     JOIN transfers t ON t.merchant_id = m.merchant_id AND t.transfer_id < m.to_id),
   lines AS (
     SELECT s.merchant_id, s.merchant_id AS id, s.account_id, s.pence AS balance, 0 AS pence
     FROM scope k JOIN account_seals s ON s.merchant_id = k.merchant_id
     UNION ALL SELECT merchant_id, merchant_id, account_id, 0, pence FROM (${sides('sealed')}) every)`,
);

/** The transfers under a seal are those that were sealed. */
const SEALED_TRANSFERS = bySql(
  'seal',
  `SELECT s.merchant_id, s.from_id AS id, s.merchant_id || ' had ' || s.transfers || ' transfers before ' || s.to_id
     || ' when they were sealed, and has ' || t.transfers || ' or others now' AS what
   FROM scope k JOIN transfer_seals s ON s.merchant_id = k.merchant_id AND s.from_id = k.id
   CROSS JOIN LATERAL (SELECT count(*) AS transfers,
     coalesce(sum(x.amount_pence * (${hashOf('x.credit_account_id')} - ${hashOf('x.debit_account_id')})::numeric), 0) AS checksum
     FROM transfers x WHERE x.merchant_id = s.merchant_id AND x.transfer_id >= s.from_id AND x.transfer_id < s.to_id) t
   WHERE s.transfers <> t.transfers OR s.checksum <> t.checksum`,
);

/** The sealed sums of a merchant's accounts are what its seals add up to. */
const SEALED_SUMS = bySql(
  'merchant',
  `SELECT k.merchant_id, k.id, k.merchant_id || ' has sealed sums that its sealed transfers do not add up to' AS what
   FROM scope k
   WHERE (SELECT coalesce(sum(s.checksum), 0) FROM transfer_seals s WHERE s.merchant_id = k.merchant_id)
      <> (SELECT coalesce(sum(a.pence * ${hashOf('a.account_id')}::numeric), 0) FROM account_seals a
          WHERE a.merchant_id = k.merchant_id)`,
);

/** The laws of the ledger. */
export const LEDGER: readonly Law[] = [
  {
    name: 'debits-equal-credits',
    sentence: "All of a merchant's balances add up to nothing.",
    parts: [
      bySql(
        'merchant',
        `SELECT a.merchant_id, a.merchant_id AS id, a.merchant_id || ' is off by ' || sum(a.balance_pence) AS what
         FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id
         GROUP BY a.merchant_id HAVING sum(a.balance_pence) <> 0`,
      ),
    ],
  },
  {
    name: 'balances-equal-transfers',
    sentence: 'Every balance is the sum of its transfers.',
    parts: [AS_TRANSFERRED, SEALS_AS_TRANSFERRED],
    hourly: [AS_SEALED, SEALED_TRANSFERS, SEALED_SUMS],
  },
  {
    name: 'no-wallet-below-zero',
    sentence: 'No wallet is below zero.',
    parts: [
      bySql(
        'account',
        `SELECT a.merchant_id, a.account_id AS id, a.merchant_id || ' ' || a.account_id AS what
         FROM scope k JOIN accounts a ON a.merchant_id = k.merchant_id AND a.account_id = k.id
         WHERE a.balance_pence < 0 AND a.kind NOT IN ('outside', 'owed', 'fees')`,
      ),
    ],
  },
];
