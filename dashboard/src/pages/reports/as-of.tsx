import { When } from '../../ui/values/when.tsx';

/** Says of which moment a report is: it is not read again while it is looked at. */
export function AsOf({ at }: { at: string }) {
  return (
    <p className="quiet">
      As of <When at={at} as="datetime" />. Open the report again for later figures.
    </p>
  );
}
