import type { VrpType } from '../bank.ts';

/** One connection to Modulr, through which customers of many banks pay. No part of it may be logged. */
export interface ModulrConfig {
  /** Begins the id of every bank behind it: `modulr` → `modulr-H100000001`. */
  bankId: string;
  /** With the path of the environment, without a slash at the end; https. */
  baseUrl: string;
  keyId: string;
  secret: string;
  vrpType: Extract<VrpType, 'UK.OBIE.VRPType.CVRP1' | 'UK.OBIE.VRPType.Sweeping'>;
  /** ISO 18245: what the merchants sell. */
  merchantCategoryCode: string;
  /** Whether funds are confirmed before the first order of an attempt. */
  confirmsFunds: boolean;
  /** Our share of Modulr's 8,000 requests in ten minutes. */
  requests: number;
  /** For one call, without the wait for its turn. Default 10 000. */
  timeoutMs?: number;
  /** Allows plain http on loopback for Modulr and for the customer's pages. */
  sandbox?: boolean;
}
