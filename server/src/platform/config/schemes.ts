import { type Finding, problem, warning } from './finding.ts';
import type { Env } from './readers.ts';

/** Under which rules a bank is asked for payments: docs/rules/consents.md#the-payment-scheme. */
interface PaymentScheme {
  /** Whose rules they are. */
  rules: string;
  /** What the scheme charges, besides what a bank or an aggregator does. */
  fee: string;
  /** For what merchants take part; empty: the scheme asks for nothing. */
  useCases: readonly string[];
  /** The standard's name of it, in consents and payments. */
  vrpType: 'CVRP1' | 'CVRP2' | 'CVRP3' | 'Sweeping' | 'Other';
}

const UKPI = {
  rules: 'the multilateral agreement of UK Payments Initiative',
  fee: 'central access fee, by the agreement',
  useCases: ['utilities', 'financial_services', 'e_money', 'government', 'charity'],
} as const;

/** The schemes, by the names that settings and the banks' file have for them. Another one is another entry. */
export const SCHEMES = {
  commercial: { ...UKPI, vrpType: 'CVRP1' },
  commercial_2: { ...UKPI, vrpType: 'CVRP2' },
  commercial_3: { ...UKPI, vrpType: 'CVRP3' },
  sweeping: {
    rules: 'the order of the CMA: between accounts of the same customer',
    fee: 'none',
    useCases: [],
    vrpType: 'Sweeping',
  },
  bilateral: {
    rules: 'an agreement with the bank alone',
    fee: 'by the agreement',
    useCases: ['other'],
    vrpType: 'Other',
  },
} as const satisfies Record<string, PaymentScheme>;

export type SchemeName = keyof typeof SCHEMES;
export const SCHEME_NAMES = Object.keys(SCHEMES) as SchemeName[];

export type UseCase = (typeof SCHEMES)[SchemeName]['useCases'][number];
/** For what merchants take part in some scheme. */
export const USE_CASES: readonly UseCase[] = [
  ...new Set(SCHEME_NAMES.flatMap((name): readonly UseCase[] => SCHEMES[name].useCases)),
];

/** Returns the scheme of one of the standard's kinds of VRP. */
export const schemeOfType = (vrpType: string): SchemeName | undefined =>
  SCHEME_NAMES.find((name) => SCHEMES[name].vrpType === vrpType);

/** Reads `VRP_TYPE`, the former name of `PAYMENT_SCHEME`, as that. */
export function readFormerScheme(env: Env): { env: Env; findings: Finding[] } {
  const { VRP_TYPE: former = '', PAYMENT_SCHEME: given = '' } = env;
  if (former === '') return { env, findings: [] };
  const scheme = schemeOfType(former);
  const wanted = scheme === undefined ? `one of ${SCHEME_NAMES.join(', ')}` : scheme;
  const says = `is the former name of PAYMENT_SCHEME: set PAYMENT_SCHEME to ${wanted} in its place`;
  if (scheme === undefined || (given !== '' && given !== scheme))
    return { env, findings: [problem('VRP_TYPE', says)] };
  return { env: { ...env, PAYMENT_SCHEME: scheme }, findings: [warning('VRP_TYPE', says)] };
}
