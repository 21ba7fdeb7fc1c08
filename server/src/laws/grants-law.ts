import { bySql } from './law.ts';

/** Without its grant nothing could be collected under a consent, and nobody would notice. */
export const GRANTS = bySql(
  'granted-consents-have-grants',
  'Every granted consent has the grant that its bank gave for it.',
  `SELECT c.merchant_id || ' ' || c.consent_id AS what FROM consents c WHERE c.status = 'granted'
     AND NOT EXISTS (SELECT FROM bank_grants g WHERE g.merchant_id = c.merchant_id AND g.consent_id = c.consent_id)`,
);
