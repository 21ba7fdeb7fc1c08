import type { Provider } from 'oidc-provider';
import type { SandboxClock } from '../clock.ts';
import type { Store } from '../store.ts';
import type { Brand } from './behaviour/brands.ts';
import type { Faults } from './behaviour/faults.ts';
import type { BankConfig } from './config.ts';
import type { Directory } from './parties/directory.ts';
import type { SigningKey } from './wire/keys.ts';

/** One bank at run time. */
export interface Bank {
  brand: Brand;
  /** Also the base of its OpenID endpoints, e.g. https://localhost:4011/northbank. */
  issuer: string;
  /** Base of the VRP endpoints. */
  resourceBase: string;
  key: SigningKey;
  provider: Provider;
}

/** Dependencies that the parts of the program share. */
export interface BankDeps {
  config: BankConfig;
  store: Store;
  clock: SandboxClock;
  banks: ReadonlyMap<string, Bank>;
  directory: Directory;
  faults: Faults;
  /** Starts the work that is due now, without waiting for it. */
  settle(): void;
}
