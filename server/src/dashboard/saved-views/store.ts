import type { Tx } from '../../platform/db/db.ts';
import type { SavedView } from './view.ts';

export interface SavedViewRow {
  viewId: string;
  list: SavedView['list'];
  name: string;
  /** Sealed. */
  query: string;
}

const COLUMNS = 'view_id, list, name, query';

/** Returns the merchant's saved views, by name. */
export function listViews(tx: Tx, merchantId: string): Promise<SavedViewRow[]> {
  return tx.rows<SavedViewRow>(
    `SELECT ${COLUMNS} FROM saved_views WHERE merchant_id = $1 ORDER BY lower(name), view_id`,
    [merchantId],
  );
}

export interface NewView extends SavedViewRow {
  merchantId: string;
  madeBy: string;
}

/** Inserts a view, or replaces what the list's view of this name shows. Returns it. */
export async function saveView(
  tx: Tx,
  now: Temporal.Instant,
  view: NewView,
): Promise<Pick<SavedViewRow, 'viewId'>> {
  const row = await tx.row<SavedViewRow>(
    `INSERT INTO saved_views (merchant_id, view_id, list, name, query, made_by, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (merchant_id, list, name) DO UPDATE SET query = excluded.query, made_by = excluded.made_by
     RETURNING ${COLUMNS}`,
    [view.merchantId, view.viewId, view.list, view.name, view.query, view.madeBy, now],
  );
  if (row === null) throw new Error('nothing was saved');
  return row;
}

/** Deletes a view. Returns whether there was one. */
export async function deleteView(tx: Tx, merchantId: string, viewId: string): Promise<boolean> {
  const deleted = await tx.run('DELETE FROM saved_views WHERE merchant_id = $1 AND view_id = $2', [
    merchantId,
    viewId,
  ]);
  return deleted > 0;
}
