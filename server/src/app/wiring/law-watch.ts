import { storeFindings } from '../../laws/findings/store.ts';
import { checkIssuer } from '../../laws/invariants/laws.ts';
import { checkInvariants } from '../../laws/run/invariant-run.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Issuer } from '../../wallets/issuer.ts';

const FIRST_AFTER_MS = 5_000; // a start is busy enough
const EVERY_MS = 3_600_000;

/** Checks the books against the laws of money, on a timer and on request. */
export interface LawWatch {
  /** Starts checking automatically: soon, and then every hour. */
  start(): void;
  /** Checks now; resolves when the findings are stored. Callers during a check share one further check. Never throws. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Checks the books against the laws of money, stores the findings, and logs each broken law and each check that failed or was
 * incomplete. If there is an issuer, our ledger is also checked against the issuer's balances.
 */
export function watchLaws(platform: Platform, issuer: Issuer | null): LawWatch {
  let looking: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let closed = false;
  let first: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): Promise<void> => {
    looking = checkBooks(platform, issuer).finally(() => {
      looking = null;
    });
    return looking;
  };
  const look = (): Promise<void> => {
    if (closed) return Promise.resolve();
    if (looking === null) return begin();
    next ??= looking.then(() => {
      next = null;
      return closed ? undefined : begin();
    });
    return next;
  };
  return {
    look,
    start() {
      first = setTimeout(() => void look(), FIRST_AFTER_MS);
      timer = setInterval(() => void look(), EVERY_MS);
    },
    async close() {
      closed = true;
      clearTimeout(first);
      clearInterval(timer);
      await (next ?? looking);
    },
  };
}

async function checkBooks(platform: Platform, issuer: Issuer | null): Promise<void> {
  try {
    const findings = await checkInvariants(platform);
    if (issuer !== null) findings.push(await checkIssuer(platform, issuer));
    for (const { law, broken, unknown, error } of findings) {
      if (broken.length > 0) platform.log.report('law.broken', { law, broken });
      if (unknown !== undefined && error === undefined)
        platform.log.report('law.incomplete', { law, unknown });
      if (error !== undefined) platform.log.report('law.check_failed', { law, err: error });
    }
    const now = platform.clock.now();
    await platform.db.transaction((tx) => storeFindings(tx, now, findings));
  } catch (error) {
    platform.log.report('law.findings_not_stored', { err: error });
  }
}
