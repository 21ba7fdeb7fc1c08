/** The beginning of the reason under which the audit trail records that an ad-hoc payment was requested. */
export const COLLECTED_ONCE = 'collected once';
