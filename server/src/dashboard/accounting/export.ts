import type { Export } from '../export.ts';
import { poundsOf } from '../settlements/csv.ts';
import { LAYOUTS } from './layouts.ts';
import type { Journal, LayoutName } from './view.ts';

type Printed = Journal['lines'][number] & { layout: LayoutName };

/** The journal as the file that an accounting program imports. */
export const JOURNAL_EXPORT: Export = {
  operationId: 'getJournal',
  name: 'journal',
  items: ({ lines, layout }: Journal): Printed[] => lines.map((line) => ({ ...line, layout })),
  cells: ({ layout, ...line }: Printed) => LAYOUTS[layout].cells(line),
  form: ({ layout }: { layout: LayoutName }) => ({
    columns: LAYOUTS[layout].columns,
    number: poundsOf,
  }),
};
