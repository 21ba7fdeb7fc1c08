import { ListPage } from '../../pages/lists/list-page.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Download } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { When } from '../../ui/values/when.tsx';
import { activityFile, type Change, useActivity } from '../api/activity.ts';

/** What reads personal data, in words. */
const READS: Readonly<Record<string, string>> = {
  shown: 'Looked at personal data',
  searched: 'Searched for customers',
  exported: 'Exported personal data',
};

const COLUMNS: readonly Column<Change>[] = [
  { header: 'When', cell: ({ at }) => <When at={at} /> },
  { header: 'Operator', cell: ({ operator }) => operator },
  { header: 'What', cell: ({ action }) => READS[action] ?? action.replaceAll('_', ' ') },
  { header: 'Object', cell: ({ object_id }) => <code>{object_id}</code> },
  { header: 'Reason', cell: ({ reason }) => reason },
];

/** /activity */
export function ActivityPage() {
  const url = useUrlFilter(['operator', 'object_id']);
  const { values, field } = url;
  const filter = { operator: values.operator, object_id: values.object_id };
  return (
    <ListPage
      title="Activity"
      lead="What operators changed, and whose personal data they read: here, through the API and on the command line."
      actions={
        <LinkButton href={activityFile(filter)} isDownload>
          <Download aria-hidden="true" />
          Download CSV
        </LinkButton>
      }
      filters={
        <>
          <SearchField label="Operator" {...field('operator')} />
          <SearchField
            label="Object"
            placeholder="Id of a merchant, bank …"
            {...field('object_id')}
          />
        </>
      }
      url={url}
      query={useActivity(filter)}
      columns={COLUMNS}
      unmatched={{ title: 'No changes match' }}
      empty={{ title: 'No changes yet' }}
    />
  );
}
