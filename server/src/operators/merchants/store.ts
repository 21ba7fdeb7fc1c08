import type { HoldKind } from '../../merchants/holds/hold.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type List, type Page, readPage } from '../../platform/http/lists/page.ts';

/** A merchant as listed. */
export interface ListedMerchant {
  merchantId: string;
  name: string;
  legalName: string;
  email: string;
  website: string;
  createdAt: Temporal.Instant;
  /** Since when, by kind. */
  holds: { kind: HoldKind; since: string; by: string; reason: string }[];
}

/** Which merchants: by words of the name, the legal name or the email address, or by id; and by hold. */
export interface MerchantFilter {
  q?: string;
  hold?: HoldKind;
}

const WHERE = `($1::text IS NULL OR m.merchant_id = $1
    OR strpos(lower(m.name || ' ' || m.legal_name || ' ' || m.email), lower($1)) > 0)
  AND ($2::text IS NULL OR EXISTS (SELECT FROM merchant_holds h
    WHERE h.merchant_id = m.merchant_id AND h.kind = $2 AND h.ended_at IS NULL))`;

/** Returns a page of merchants, newest first. */
export async function listMerchants(
  tx: Tx,
  { q, hold }: MerchantFilter,
  page: Page,
): Promise<List<ListedMerchant>> {
  return readPage<ListedMerchant>(
    tx,
    {
      columns: `m.merchant_id, m.name, m.legal_name, m.email, m.website, m.created_at,
        (SELECT coalesce(json_agg(json_build_object('kind', h.kind, 'since', h.since,
           'by', h.given_by, 'reason', h.reason)), '[]')
         FROM merchant_holds h WHERE h.merchant_id = m.merchant_id AND h.ended_at IS NULL) AS holds`,
      from: `merchants m WHERE ${WHERE}`,
      values: [q?.trim() || null, hold ?? null],
      order: { by: { 'm.merchant_id': 'text' }, isDescending: true },
    },
    page,
  );
}
