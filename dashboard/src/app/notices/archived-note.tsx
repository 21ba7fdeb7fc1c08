import { When } from '../../ui/values/when.tsx';
import { useMe } from '../session.tsx';

/** Says that what happened long ago is no longer listed here; nothing if nothing was archived. */
export function ArchivedNote() {
  const { archived_before: at } = useMe();
  if (at === null) return null;
  return (
    <p className="quiet small">
      What happened before <When at={at} as="date" /> may be in the archive: ask your provider.
    </p>
  );
}
