import type { Platform } from '../../platform/platform.ts';
import { errorMessage } from '../../platform/values/thrown.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import type { Finding } from '../findings/finding.ts';
import { BEFORE_FIRST_ROW, NOUNS, nextPage } from '../findings/nouns.ts';
import { AS_THE_ISSUER, compareWithIssuer } from '../reconciliation/issuer-comparison.ts';
import { AS_SET } from './amounts-law.ts';
import { ARRIVED_MONEY } from './arrived-money-laws.ts';
import {
  GRANTS,
  NO_WAIT_FOR_NOBODY,
  NOTHING_NEW_AT_A_LEFT_ACCOUNT,
  NOTHING_NEW_IN_A_WAIT,
  TWO_CHECKS,
} from './consents-law.ts';
import { NO_EVENT_LOST, ONE_EVENT } from './events-law.ts';
import { FEES } from './fees-laws.ts';
import { NOTHING_WHILE_HELD } from './holds-law.ts';
import { type Breach, breachesAmong, type Law, MAX, type Part } from './law.ts';
import { LEDGER } from './ledger-laws.ts';
import { WITHIN_LIMITS } from './limits-law.ts';
import { NOTHING_MISSING } from './missing-rows-law.ts';
import { ACCOUNTED_FOR } from './occurrences-law.ts';
import { NOTHING_AFTER_A_NO, SENT_AS_ORDERED } from './orders-law.ts';
import { QUEUES } from './queues.ts';
import { SETTLED_NEXT_DAY } from './settling-law.ts';
import { DISPUTES_ADD_UP, ONE_SUCCESS, REFUNDS_ADD_UP, SETTLEMENTS_ADD_UP } from './sums-laws.ts';
import { NOTHING_UNSEEN } from './unseen-law.ts';

export const LAWS: readonly Law[] = [
  ...LEDGER,
  ONE_SUCCESS,
  NOTHING_AFTER_A_NO,
  SENT_AS_ORDERED,
  NOTHING_WHILE_HELD,
  TWO_CHECKS,
  NOTHING_NEW_IN_A_WAIT,
  NO_WAIT_FOR_NOBODY,
  NOTHING_NEW_AT_A_LEFT_ACCOUNT,
  REFUNDS_ADD_UP,
  DISPUTES_ADD_UP,
  SETTLEMENTS_ADD_UP,
  SETTLED_NEXT_DAY,
  ...FEES,
  ONE_EVENT,
  NO_EVENT_LOST,
  GRANTS,
  ...ARRIVED_MONEY,
  ...QUEUES,
  WITHIN_LIMITS,
  AS_SET,
  ACCOUNTED_FOR,
  NOTHING_MISSING,
  NOTHING_UNSEEN,
];

/**
 * Checks a part of a law for every row there is, page by page, until there are enough violations. In transactions of the engine:
 * there the rows of a page are looked up by key, whatever the planner thinks of the tables.
 */
async function breachesOf({ db, clock }: Platform, part: Part): Promise<Breach[]> {
  const { noun } = part;
  const found: Breach[] = [];
  const { page: size } = NOUNS[noun];
  for (let after = BEFORE_FIRST_ROW; ; ) {
    const page = await db.transaction((tx) => nextPage(tx, noun, after, size));
    if (page.length > 0) found.push(...(await breachesAmong(db, part, page, clock.now())));
    const last = page.at(-1);
    if (last === undefined || page.length < size || found.length >= MAX) return found;
    after = last;
  }
}

/** Checks a law for every row there is. */
async function checkLaw(platform: Platform, { name, sentence, parts }: Law): Promise<Finding> {
  const lines = new Set<string>();
  for (const part of parts) {
    for (const { what } of await breachesOf(platform, part)) lines.add(what);
    if (lines.size >= MAX) break;
  }
  return { law: name, sentence, broken: [...lines].slice(0, MAX) };
}

/** Checks every law of money on our books. Throws if one cannot be checked, so that none passes unchecked. */
export async function checkLaws(platform: Platform): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const law of LAWS) findings.push(await checkLaw(platform, law));
  return findings;
}

/**
 * Checks each law separately for every row there is, and the issuer's balances if there is an issuer. A law that cannot be
 * checked, perhaps because a statement takes too long, is unknown, with the error; the others are still reported.
 */
export async function checkEachLaw(platform: Platform, issuer: Issuer | null): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const law of LAWS)
    findings.push(
      await orUnknown({ law: law.name, sentence: law.sentence }, () => checkLaw(platform, law)),
    );
  if (issuer !== null) findings.push(await checkIssuer(platform, issuer));
  return findings;
}

/** Compares our ledger with the issuer's balances; unknown, with the error, if that fails. */
export function checkIssuer(platform: Platform, issuer: Issuer): Promise<Finding> {
  return orUnknown(AS_THE_ISSUER, () => compareWithIssuer(platform, issuer));
}

async function orUnknown(
  law: Pick<Finding, 'law' | 'sentence'>,
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return { ...law, broken: [], ...unknownBy(error) };
  }
}

/** Returns why a law is unknown that could not be checked. */
export function unknownBy(error: unknown): Pick<Finding, 'unknown' | 'error'> {
  return { unknown: `it could not be checked: ${errorMessage(error)}`, error };
}
