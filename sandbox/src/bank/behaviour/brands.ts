import { CLOSED, type Contract, FOUR_PERIODS, STANDARD } from './contracts.ts';
import {
  LONG_TOKENS,
  NO_REFRESH_TOKEN,
  OF_A_GROUP,
  PLAIN,
  type Profile,
  SINGLE_USE_TOKENS,
} from './profiles.ts';
import type { Quirk } from './quirks.ts';

/** The banks of the sandbox. One program runs them all; to callers each is a separate bank. */
export interface Brand {
  bankId: string;
  name: string;
  sortCode: string;
  /** One line for customers choosing a bank. */
  summary: string;
  /** Real time added to every back-channel response, on top of the configured latency. */
  latencyMs: number;
  /** Only every n-th call of a resource is served; the others return 503. */
  servesOneCallIn: number;
  /** How fast ordinary payments are processed. */
  pace: 'at_once' | 'two_hours';
  /** Its quirks: behaviour that the standard allows, or network faults on its calls. */
  quirks: readonly Quirk[];
  /** What it takes of what the standard allows. */
  contract: Contract;
  /** How it answers. */
  profile: Profile;
}

export const BRANDS: readonly Brand[] = [
  {
    bankId: 'northbank',
    name: 'Northbank',
    sortCode: '991001',
    summary: 'Works as a bank should',
    latencyMs: 0,
    servesOneCallIn: 1,
    pace: 'at_once',
    quirks: [],
    contract: STANDARD,
    profile: PLAIN,
  },
  {
    bankId: 'millrace',
    name: 'Millrace Bank',
    sortCode: '991002',
    summary: 'Slow: every answer takes over a second, payments two hours',
    latencyMs: 1200,
    servesOneCallIn: 1,
    pace: 'two_hours',
    quirks: [],
    contract: STANDARD,
    profile: PLAIN,
  },
  {
    bankId: 'harbour',
    name: 'Harbour Bank',
    sortCode: '991003',
    summary: 'Often unavailable: two of three calls answer 503',
    latencyMs: 0,
    servesOneCallIn: 3,
    pace: 'at_once',
    quirks: [],
    contract: STANDARD,
    profile: PLAIN,
  },
  loose('saltmarsh', 'Saltmarsh Bank', '991004', 'stops_at_acsc', 'Reports ACSC, never ACCC'),
  loose(
    'pennyfield',
    'Pennyfield Bank',
    '991005',
    'omits_optional_fields',
    'Says as little as it may: no optional fields, no reasons',
  ),
  loose(
    'tollgate',
    'Tollgate Bank',
    '991006',
    'bare_errors',
    'A poor gateway: every third call gets a bare 400, 403, 404 or 502',
  ),
  loose('fogdale', 'Fogdale Bank', '991007', 'loses_requests', 'Loses every third call on its way'),
  loose(
    'hollowell',
    'Hollowell Bank',
    '991008',
    'loses_answers',
    'Does what every third call asks, and loses the answer',
  ),
  byContract(
    'larkfield',
    'Larkfield Bank',
    '991009',
    { contract: FOUR_PERIODS, profile: SINGLE_USE_TOKENS },
    'Limits by the day, week, month and year alone; refresh tokens of a single use',
  ),
  byContract(
    'greystone',
    'Greystone Bank',
    '991010',
    { contract: CLOSED, profile: LONG_TOKENS },
    'Takes nothing that its contract does not name: few characters, no other fields',
  ),
  byContract(
    'whitecliff',
    'Whitecliff Bank',
    '991011',
    { contract: STANDARD, profile: NO_REFRESH_TOKEN },
    'No refresh token, and its answer is in the query of the address',
  ),
  byContract(
    'ravenhall',
    'Ravenhall Bank',
    '991012',
    { contract: STANDARD, profile: OF_A_GROUP },
    'One brand of a group: links of another host, a rate limit, few members in its answers',
  ),
];

/** Returns an ordinary bank with one quirk. */
function loose(
  bankId: string,
  name: string,
  sortCode: string,
  quirk: Quirk,
  summary: string,
): Brand {
  const plain = { contract: STANDARD, profile: PLAIN };
  return { ...byContract(bankId, name, sortCode, plain, summary), quirks: [quirk] };
}

/** Returns an ordinary bank with a contract and a profile of its own. */
function byContract(
  bankId: string,
  name: string,
  sortCode: string,
  terms: Pick<Brand, 'contract' | 'profile'>,
  summary: string,
): Brand {
  const pace = 'at_once';
  return {
    bankId,
    name,
    sortCode,
    summary,
    latencyMs: 0,
    servesOneCallIn: 1,
    pace,
    quirks: [],
    ...terms,
  };
}
