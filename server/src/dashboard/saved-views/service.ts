import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import { invalid, notFound } from '../../platform/values/errors.ts';
import { deleteView, listViews, saveView } from './store.ts';
import type { SavedView } from './view.ts';

/** The most views that a team keeps. */
const MAX_VIEWS = 100;

/** A search in it may name a customer. */
const context = (merchantId: string): string => `saved-view:${merchantId}`;

/** Returns the views that the team has saved, by name. */
export async function showViews(
  { vault }: Platform,
  { tx, merchantId }: Asked,
): Promise<{ data: SavedView[] }> {
  const rows = await listViews(tx, merchantId);
  return {
    data: rows.map(({ viewId: id, list, name, query }) => ({
      id,
      list,
      name,
      query: vault.open(query, context(merchantId)),
    })),
  };
}

/** Saves a view for the whole team; one of this list and name is replaced. Throws 400 where the team has too many. */
export async function addView(
  { vault, ids }: Platform,
  { tx, now, merchantId, actorId }: AskedBy,
  { list, name, query }: Omit<SavedView, 'id'>,
): Promise<SavedView> {
  const all = await listViews(tx, merchantId);
  const asked = { list, name: name.trim(), query };
  const isNew = !all.some((one) => one.list === list && one.name === asked.name);
  if (isNew && all.length >= MAX_VIEWS)
    throw invalid({ name: `your team has ${MAX_VIEWS} views already: delete one first` });
  const { viewId: id } = await saveView(tx, now, {
    ...asked,
    merchantId,
    viewId: ids.next('viw', now),
    query: vault.seal(query, context(merchantId)),
    madeBy: actorId,
  });
  return { id, ...asked };
}

/** Deletes a view of the team. Throws 404 `not_found`. */
export async function removeView({ tx, merchantId }: Asked, viewId: string): Promise<void> {
  if (!(await deleteView(tx, merchantId, viewId))) throw notFound('view');
}
