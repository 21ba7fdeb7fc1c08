import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import type { Certificate } from '../../operators/metrics/scrape.ts';
import type { Finding } from '../../platform/config/finding.ts';

const WARN_BEFORE_DAYS = 30;
const DAY_MS = 86_400_000;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

type Bank = Pick<OpenBankingConfig, 'bankId' | 'tls'>;

/** Returns findings on a bank's certificates and transport key at `now`: expired, not yet valid, expiring soon, or not a pair. */
export function certificateFindings(path: string, bank: Bank, now: Temporal.Instant): Finding[] {
  const { ca, cert, key } = bank.tls;
  const say = (level: Finding['level'], says: string): Finding => ({
    level,
    setting: 'BANKS_FILE',
    says: `${path}: ${bank.bankId} ${says}`,
  });
  const found: Finding[] = [];
  if (ca !== '') found.push(...authorities(ca, now, say));
  const own = cert === '' ? null : readChain(cert);
  if (own === null && cert !== '')
    found.push(say('problem', 'has a tls.cert that is no certificate: write one in PEM'));
  for (const certificate of own ?? []) found.push(validity(certificate, now, 'tls.cert', say));
  if (key !== '') found.push(...transportKey(key, own?.[0], say));
  return found;
}

/**
 * Returns until when a bank's certificates are valid: the first of ours that ends, and the last of its authorities, of which one
 * is enough.
 */
export function certificatesOf({ bankId, tls }: Bank): Certificate[] {
  const ends = (pem: string): number[] =>
    (readChain(pem) ?? []).map(({ validToDate }) => validToDate.getTime());
  const [ours, theirs] = [ends(tls.cert), ends(tls.ca)];
  const at = (certificate: Certificate['certificate'], ms: number): Certificate => ({
    bank: bankId,
    certificate,
    validTo: Temporal.Instant.fromEpochMilliseconds(ms),
  });
  return [
    ...(ours.length === 0 ? [] : [at('tls.cert', Math.min(...ours))]),
    ...(theirs.length === 0 ? [] : [at('tls.ca', Math.max(...theirs))]),
  ];
}

type MakeFinding = (level: Finding['level'], says: string) => Finding;

/** Checks a CA bundle. It may contain expired authorities, as long as one is valid. */
function authorities(pem: string, now: Temporal.Instant, say: MakeFinding): Finding[] {
  const chain = readChain(pem);
  if (chain === null)
    return [say('problem', 'has a tls.ca that is no certificate: write one in PEM')];
  const found = chain.map((certificate) => validity(certificate, now, 'tls.ca', say));
  const isUsable = found.some(({ level }) => level !== 'problem');
  if (!isUsable) return found;
  return found.map((one) =>
    one.level === 'problem' ? { ...one, level: 'warning' as const } : one,
  );
}

/** Returns the certificates of a PEM text. Throws if one cannot be read. */
export function certificatesIn(pem: string): X509Certificate[] {
  return (pem.match(PEM) ?? []).map((block) => new X509Certificate(block));
}

/** Returns the certificates of a PEM text; null if there are none, or one cannot be read. */
function readChain(pem: string): X509Certificate[] | null {
  try {
    const chain = certificatesIn(pem);
    return chain.length === 0 ? null : chain;
  } catch {
    return null;
  }
}

function validity(
  certificate: X509Certificate,
  now: Temporal.Instant,
  field: string,
  say: MakeFinding,
): Finding {
  const from = certificate.validFromDate.getTime();
  const to = certificate.validToDate.getTime();
  const at = now.epochMilliseconds;
  const day = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(ms).toString().slice(0, 10);
  if (at > to)
    return say(
      'problem',
      `has a ${field} that ended on ${day(to)}: write a certificate that is valid`,
    );
  if (at < from)
    return say(
      'problem',
      `has a ${field} that is not valid before ${day(from)}: write one that is valid now`,
    );
  const days = Math.floor((to - at) / DAY_MS);
  if (days < WARN_BEFORE_DAYS)
    return say('warning', `has a ${field} that ends on ${day(to)}, in ${days} days: renew it`);
  return say('good', `has a ${field} that is valid until ${day(to)}`);
}

function transportKey(
  pem: string,
  certificate: X509Certificate | undefined,
  say: MakeFinding,
): Finding[] {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return [
      say(
        'problem',
        'has a tls.key that cannot be read: write a private key in PEM, no passphrase',
      ),
    ];
  }
  if (certificate === undefined || certificate.checkPrivateKey(key)) return [];
  return [
    say('problem', 'has a tls.key that does not belong to its tls.cert: write the two of one pair'),
  ];
}
