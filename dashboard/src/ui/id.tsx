import { Link } from 'react-router';
import { CopyButton } from './copy-button.tsx';

const LONGEST = 16;
const TAIL = 6;

/** Long ids keep their beginning, which says what they name, and their end. */
function shorten(value: string): string {
  if (value.length <= LONGEST) return value;
  const head = value.slice(0, value.indexOf('_') + 4);
  return `${head}…${value.slice(-TAIL)}`;
}

/** An id in short, to copy whole; with `to`, a link to what it names. */
export function Id({ value, to }: { value: string; to?: string }) {
  const short = <code title={value}>{shorten(value)}</code>;
  return (
    <span className="id">
      {to === undefined ? short : <Link to={to}>{short}</Link>}
      <CopyButton value={value} label={`Copy ${value}`} isIcon />
    </span>
  );
}
