import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { type SavedView, useSavedViews, useViewActions } from '../../api/saved-views.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Bookmark, Trash2 } from '../../ui/icons.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { SaveView } from './save-view.tsx';
import { isShown, viewQuery } from './view-query.ts';

/** The team's saved views of a list, each a link, and what saves or deletes one. */
export function SavedViews({ list }: { list: SavedView['list'] }) {
  const [search] = useSearchParams();
  const [asking, setAsking] = useState<'save' | 'delete' | null>(null);
  const { remove } = useViewActions();
  const maySave = useCan('manage_schedules');
  const views = (useSavedViews().data ?? []).filter((view) => view.list === list);
  const current = views.find((view) => isShown(view.query, search));
  const query = viewQuery(search);
  const close = () => setAsking(null);
  return (
    <>
      {views.length === 0 ? null : (
        <nav className="saved-views" aria-label="Saved views">
          {views.map((view) => (
            <Link
              key={view.id}
              className="chip"
              to={`?${view.query}`}
              aria-current={view === current ? 'true' : undefined}
            >
              {view.name}
            </Link>
          ))}
        </nav>
      )}
      {maySave && query !== '' && current === undefined ? (
        <Button variant="ghost" onPress={() => setAsking('save')}>
          <Bookmark aria-hidden="true" /> Save view
        </Button>
      ) : null}
      {maySave && current !== undefined ? (
        <Button variant="ghost" onPress={() => setAsking('delete')}>
          <Trash2 aria-hidden="true" /> Delete view
        </Button>
      ) : null}
      {asking === 'save' ? <SaveView list={list} query={query} onClose={close} /> : null}
      {current === undefined ? null : (
        <ConfirmDialog
          isOpen={asking === 'delete'}
          onClose={close}
          title={`Delete “${current.name}”?`}
          confirmLabel="Delete view"
          onConfirm={async () => {
            await remove.mutateAsync(current.id);
            toast('View deleted.', 'success');
          }}
        >
          <p>It disappears for everybody on your team. The list itself stays as it is.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
