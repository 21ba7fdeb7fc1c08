import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, type Icon, Info, TriangleAlert } from './icons.tsx';

export type NoticeTone = 'info' | 'success' | 'warning' | 'danger';

const ICONS: Record<NoticeTone, Icon> = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
};

interface NoticeProps {
  tone: NoticeTone;
  title?: string;
  action?: ReactNode;
  children?: ReactNode;
}

/** Something to know before continuing. A danger is read out at once. */
export function Notice({ tone, title, action, children }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`notice tone-${tone}`} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon aria-hidden="true" />
      <div className="notice-body">
        {title === undefined ? null : <p className="notice-title">{title}</p>}
        {children === undefined ? null : <div>{children}</div>}
      </div>
      {action === undefined ? null : <div className="notice-action">{action}</div>}
    </div>
  );
}
