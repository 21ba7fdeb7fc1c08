import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ButtonVariant } from './button.tsx';
import { DISCARDING } from './fields/unsaved.ts';

type LinkButtonProps = {
  variant?: ButtonVariant;
  size?: 'small' | 'normal';
  /** For `href`: saves the response as a file. */
  isDownload?: boolean;
  /** For `href`: opens a new tab. */
  isNewTab?: boolean;
  children: ReactNode;
} & (
  | {
      to: string;
      /** Leaves without being asked, although the form has unsaved changes. */
      discardsChanges?: boolean;
      href?: never;
    }
  | { href: string; to?: never }
);

/** A link that looks like a button: `to` within the dashboard, `href` anywhere else. */
export function LinkButton(props: LinkButtonProps) {
  const { variant = 'secondary', size = 'normal', children } = props;
  const className = `button button-${variant} button-${size}`;
  const content = <span className="button-content">{children}</span>;
  if (props.to !== undefined)
    return (
      <Link
        to={props.to}
        state={props.discardsChanges ? DISCARDING : undefined}
        className={className}
      >
        {content}
      </Link>
    );
  return (
    <a
      href={props.href}
      className={className}
      download={props.isDownload}
      {...(props.isNewTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {content}
    </a>
  );
}
