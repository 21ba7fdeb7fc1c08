import { bySql, type Law } from './law.ts';

/** The bank's word alone ends a consent only after two looks. */
export const TWO_LOOKS: Law = {
  name: 'two-looks-before-an-end',
  sentence:
    'No consent ended by its bank’s word without two looks, at least an hour apart and with none between that disagreed.',
  parts: [
    bySql(
      'consent',
      `SELECT e.merchant_id, e.object_id AS id, e.merchant_id || ' ' || e.object_id || ' ended at ' || e.at AS what
       FROM scope k JOIN consents c ON c.merchant_id = k.merchant_id AND c.consent_id = k.id
       JOIN state_changes e ON e.merchant_id = c.merchant_id AND e.schedule_id = c.schedule_id AND e.object_id = c.consent_id
         AND e.to_state = 'revoked' AND e.reason IN ('withdrawn_at_bank', 'expired_at_bank')
       WHERE NOT EXISTS (SELECT 1 FROM consent_looks a
         JOIN consent_looks b ON b.merchant_id = a.merchant_id AND b.consent_id = a.consent_id AND b.said = 'over'
           AND b.at >= a.at + interval '1 hour'
         WHERE a.merchant_id = e.merchant_id AND a.consent_id = e.object_id AND a.said = 'over' AND b.at <= e.at
           AND NOT EXISTS (SELECT 1 FROM consent_looks d WHERE d.merchant_id = a.merchant_id
             AND d.consent_id = a.consent_id AND d.said = 'stands' AND d.at BETWEEN a.at AND b.at))`,
    ),
  ],
};
