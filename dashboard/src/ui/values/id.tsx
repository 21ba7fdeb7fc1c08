import { Link } from 'react-router';
import { CopyButton } from './copy-button.tsx';

const LONGEST = 16;
const TAIL = 6;

/** Shortens a long id to its beginning, which names the kind of object, and its end. */
function shorten(value: string): string {
  if (value.length <= LONGEST) return value;
  const head = value.slice(0, value.indexOf('_') + 4);
  return `${head}…${value.slice(-TAIL)}`;
}

/** A shortened id, with a button to copy it in full; with `to`, a link to its object. */
export function Id({ value, to }: { value: string; to?: string }) {
  const short = <code title={value}>{shorten(value)}</code>;
  return (
    <span className="id">
      {to === undefined ? short : <Link to={to}>{short}</Link>}
      <CopyButton value={value} label={`Copy ${value}`} isIcon />
    </span>
  );
}
