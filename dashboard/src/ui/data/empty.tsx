import type { ReactNode } from 'react';
import { Inbox } from '../icons.tsx';

interface EmptyProps {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}

/** Shown where there is nothing yet, with what to do about it. */
export function Empty({ title, children, action, icon }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-icon" aria-hidden="true">
        {icon ?? <Inbox />}
      </span>
      <p className="empty-title">{title}</p>
      {children === undefined ? null : <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}
