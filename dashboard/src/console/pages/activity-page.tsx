import { Filters } from '../../pages/lists/filters.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Download } from '../../ui/icons.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { When } from '../../ui/when.tsx';
import { activityFile, type Change, useActivity } from '../api/activity.ts';

/** /activity */
export function ActivityPage() {
  const { values, set, clear, isNarrowed } = useUrlFilter(['operator', 'object_id']);
  const filter = { operator: values.operator, object_id: values.object_id };
  const changes = useActivity(filter);
  return (
    <Page
      title="Activity"
      lead="What operators changed, here, through the API and on the command line."
      actions={
        <LinkButton href={activityFile(filter)} isDownload>
          <Download aria-hidden="true" />
          Download CSV
        </LinkButton>
      }
    >
      <Filters isNarrowed={isNarrowed} onClear={clear}>
        <SearchField
          label="Operator"
          value={values.operator}
          onChange={(name) => set('operator', name)}
        />
        <SearchField
          label="Object"
          placeholder="Id of a merchant, bank …"
          value={values.object_id}
          onChange={(id) => set('object_id', id)}
        />
      </Filters>
      <QueryView query={changes}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title={isNarrowed ? 'No changes match' : 'No changes yet'} />
            </Card>
          ) : (
            <Card isFlush>
              <DataTable<Change & { id: string }>
                label="Activity"
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  { header: 'When', cell: ({ at }) => <When at={at} /> },
                  { header: 'Operator', cell: ({ operator }) => operator },
                  { header: 'What', cell: ({ action }) => action.replaceAll('_', ' ') },
                  { header: 'Object', cell: ({ object_id }) => <code>{object_id}</code> },
                  { header: 'Reason', cell: ({ reason }) => reason },
                ]}
              />
              <LoadMore query={changes} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  );
}
