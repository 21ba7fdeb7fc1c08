import { randomBytes, randomUUID } from 'node:crypto';
import { isoInstant } from '../../sandbox/src/clock.ts';
import type { Running } from '../../server/src/app/wiring/assemble.ts';
import { openGrant, sealGrant } from '../../server/src/consents/grant.ts';
import { saveGrants } from '../../server/src/consents/grant-store.ts';
import type { Platform } from '../../server/src/platform/platform.ts';
import { newLinkToken } from '../../server/src/platform/values/link-token.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { type Agreement, insertCopies, readAgreement, referenceOf } from './agreement.ts';
import {
  grantConsents,
  grantOf,
  type Names,
  openPartnerBooks,
  openWallets,
  type PartnerBooks,
} from './partner-books.ts';

const CONCURRENCY = 1_000;
const TOKEN_BYTES = 32;

/**
 * Repeats a customer's agreement `count` times, each with a new customer, whose phone `phoneOf` names. Copies the rows of the one
 * agreement, made through the portal's and the bank's pages, in our books, the bank's and the issuer's, under new names. The
 * deliveries of its events are not copied.
 */
export async function multiply(
  { platform, config }: Running,
  { merchantId, scheduleId }: { merchantId: string; scheduleId: string },
  count: number,
  phoneOf: (n: number) => string,
): Promise<void> {
  using books = openPartnerBooks(config.dataDir);
  const pattern = await platform.db.transaction((tx) =>
    readAgreement(platform, tx, merchantId, scheduleId, (consent) => grantOf(books.bank, consent)),
  );
  for (let done = 0; done < count; done += CONCURRENCY) {
    const some = Array.from({ length: Math.min(CONCURRENCY, count - done) }, (_, n) => done + n);
    const copies = newNames(platform, books, pattern, some.map(phoneOf));
    grantConsents(books.bank, pattern.names, copies);
    await platform.db.transaction((tx) => insertCopies(platform, tx, pattern, copies));
  }
  await asOwner(platform.db, (tx) => tx.run('VACUUM (ANALYZE)'));
}

/** Returns names for one agreement per phone; their wallets are open at the issuer. */
function newNames(
  { ids, clock }: Platform,
  { issuer }: PartnerBooks,
  { merchantId, names }: Agreement,
  phones: readonly string[],
): Names[] {
  const now = clock.now();
  const wallets = phones.map(() => ids.next('wal', now));
  const atIssuer = openWallets(issuer, names, wallets, isoInstant(now));
  return atIssuer.map((wallet, n) => {
    const schedule = ids.next('sch', now);
    return {
      ...wallet,
      wallet: wallets[n] ?? '',
      phone: phones[n] ?? '',
      customer: ids.next('cus', now),
      schedule,
      consent: ids.next('con', now),
      link: newLinkToken(ids, merchantId),
      reference: referenceOf(schedule),
      bankConsent: `vrp-${randomUUID()}`,
      grant: randomBytes(TOKEN_BYTES).toString('base64url'),
      accessToken: randomBytes(TOKEN_BYTES).toString('base64url'),
      refreshToken: randomBytes(TOKEN_BYTES).toString('base64url'),
    };
  });
}

const OVER = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Expires every access token, as in real life: banks issue them for minutes, and at least a day passes between two collections of
 * a schedule. Here that day passes on the business clock only, which tokens do not follow.
 */
export async function letTokensEnd(platform: Platform, merchantId: string): Promise<void> {
  let after = '';
  for (;;) {
    const rows = await platform.db.read((tx) =>
      tx.rows<{ consentId: string; bankGrant: string; revision: string | null }>(
        `SELECT consent_id, bank_grant, revision FROM bank_grants WHERE merchant_id = $1 AND consent_id > $2
         ORDER BY consent_id LIMIT $3`,
        [merchantId, after, CONCURRENCY],
      ),
    );
    if (rows.length === 0) return;
    const grants = rows.map(({ consentId, bankGrant, revision }) => {
      const grant = openGrant(platform, merchantId, consentId, bankGrant);
      const ended = sealGrant(platform, { merchantId, consentId }, { ...grant, expiresAt: OVER });
      return { merchantId, consentId, revision, grant: ended };
    });
    await platform.db.transaction((tx) => saveGrants(tx, grants));
    after = rows.at(-1)?.consentId ?? '';
  }
}
