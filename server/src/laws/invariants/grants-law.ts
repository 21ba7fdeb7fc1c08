import { bySql, type Law } from './law.ts';

/** Without its grant nothing could be collected under a consent, and nobody would notice. */
export const GRANTS: Law = {
  name: 'granted-consents-have-grants',
  sentence: 'Every granted consent has the grant that its bank gave for it.',
  parts: [
    bySql(
      'consent',
      `SELECT c.merchant_id, c.consent_id AS id, c.merchant_id || ' ' || c.consent_id AS what
       FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
       WHERE c.status = 'granted'
         AND NOT EXISTS (SELECT FROM bank_grants g WHERE g.merchant_id = c.merchant_id AND g.consent_id = c.consent_id)`,
    ),
  ],
};
