import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { When } from './when.tsx';

export interface TimelineItem {
  /** Where moments repeat: what tells the items apart. */
  key?: string;
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  tone: Tone;
  /** Small things below: ids, links. */
  meta?: ReactNode;
}

/** What happened, one thing below the other. */
export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className="timeline">
      {items.map((item, place) => (
        <li key={item.key ?? `${item.at} ${place}`} className={`timeline-item tone-${item.tone}`}>
          <span className="timeline-dot" aria-hidden="true" />
          <div className="timeline-body">
            <p className="timeline-title">{item.title}</p>
            <p className="timeline-at">
              <When at={item.at} />
            </p>
            {item.detail === undefined ? null : <div className="quiet">{item.detail}</div>}
            {item.meta === undefined ? null : <div className="timeline-meta">{item.meta}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
