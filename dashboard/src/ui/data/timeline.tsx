import type { ReactNode } from 'react';
import type { Tone } from '../badge.tsx';
import { When } from '../values/when.tsx';

export interface TimelineItem {
  /** Distinguishes items with the same moment. */
  key?: string;
  at: string;
  title: ReactNode;
  detail?: ReactNode;
  tone: Tone;
  /** Details below: ids, links. */
  meta?: ReactNode;
}

/** A list of events, one below the other. */
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
