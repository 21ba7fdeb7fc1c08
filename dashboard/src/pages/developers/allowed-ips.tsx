import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { TextArea } from '../../ui/fields/text-area.tsx';

const NOTE =
  'IP addresses or ranges such as 203.0.113.0/24, one per line. Leave it empty to allow all.';

interface Props<V extends FieldValues> {
  control: Control<V>;
  name: FieldPath<V>;
}

/** The addresses that a key may be used from. */
export function AllowedIps<V extends FieldValues>(props: Props<V>) {
  return <TextArea {...props} label="Addresses it works from" description={NOTE} rows={3} isCode />;
}

const MAX_RANGES = 50;

/** The service names each wrong range; the form has one field for all of them. */
export const RANGE_ALIASES = Object.fromEntries(
  Array.from({ length: MAX_RANGES }, (_, at) => [`allowed_ips.${at}`, 'allowed_ips'] as const),
);

/** Returns the addresses and ranges in what was typed; null: none. */
export function rangesIn(typed: string): string[] | null {
  const ranges = typed.split(/[\s,]+/).filter((range) => range !== '');
  return ranges.length === 0 ? null : ranges;
}
