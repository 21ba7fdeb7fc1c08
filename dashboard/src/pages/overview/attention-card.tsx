import { Link } from 'react-router';
import { useAttention } from '../../api/attention.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { attentionLines } from '../attention/attention-words.ts';

const SHOWN = 5;

/** What needs somebody, a line each; nothing where all is well. */
export function AttentionCard() {
  const { data } = useAttention();
  const lines = data === undefined ? [] : attentionLines(data);
  if (lines.length === 0) return null;
  return (
    <Card title="Needs attention" actions={<Link to="/attention">See everything</Link>}>
      <ul className="rows">
        {lines.slice(0, SHOWN).map(({ key, title, note, tone, to }) => (
          <li key={key}>
            <Link to={to}>
              <span className="row-words">
                <strong>{title}</strong>
                <span className="quiet">{note}</span>
              </span>
              <Badge tone={tone}>{tone === 'danger' ? 'Action needed' : 'Waiting'}</Badge>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
