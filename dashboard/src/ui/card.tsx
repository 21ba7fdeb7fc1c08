import { type ReactNode, useId } from 'react';

interface CardProps {
  title?: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** The children reach the card's edges, as a table does. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A section of a page. */
export function Card({ title, lead, actions, isFlush, children }: CardProps) {
  const id = useId();
  const hasHead = title !== undefined || actions !== undefined;
  return (
    <section
      className={isFlush ? 'card card-flush' : 'card'}
      aria-labelledby={title === undefined ? undefined : id}
    >
      {hasHead ? (
        <header className="card-head">
          <div>
            {title === undefined ? null : <h2 id={id}>{title}</h2>}
            {lead === undefined ? null : <p className="card-lead">{lead}</p>}
          </div>
          {actions === undefined ? null : <div className="actions">{actions}</div>}
        </header>
      ) : null}
      {children}
    </section>
  );
}
