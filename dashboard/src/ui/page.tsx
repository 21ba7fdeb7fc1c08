import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { BRAND } from './brand.tsx';
import { ArrowLeft } from './icons.tsx';
import { breakable } from './values/breakable.tsx';

interface PageProps {
  title: string;
  /** The parent page, such as the list that contains the object. */
  back?: { to: string; label: string };
  /** Shown beside the title, such as a status. */
  badge?: ReactNode;
  /** A sentence below the title. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** Sets the document's title while mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${BRAND}`;
  }, [title]);
}

/** A page of the dashboard with its one h1. */
export function Page({ title, back, badge, lead, actions, children }: PageProps) {
  useTitle(title);
  return (
    <div className="page">
      <header className="page-head">
        {back === undefined ? null : (
          <Link to={back.to} className="back-link">
            <ArrowLeft aria-hidden="true" />
            {back.label}
          </Link>
        )}
        <div className="page-row">
          <div className="page-title">
            <h1 tabIndex={-1}>{breakable(title)}</h1>
            {badge}
          </div>
          {actions === undefined ? null : <div className="actions">{actions}</div>}
        </div>
        {lead === undefined ? null : <p className="page-lead">{lead}</p>}
      </header>
      {children}
    </div>
  );
}
