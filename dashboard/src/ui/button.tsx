import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'ghost';

interface ButtonProps {
  variant?: ButtonVariant;
  size?: 'small' | 'normal';
  /** Keeps its size and shows that it is working; presses are ignored meanwhile. */
  isPending?: boolean;
  isDisabled?: boolean;
  onPress?: (() => void) | undefined;
  type?: 'button' | 'submit';
  /** For when the text alone does not say what the button is about. */
  'aria-label'?: string;
  /** The id of the element that explains the button, such as why it is disabled. */
  'aria-describedby'?: string;
  /** For a button that shows or hides something. */
  'aria-expanded'?: boolean;
  autoFocus?: boolean;
  children: ReactNode;
}

/** A button. Children may begin with an icon. */
export function Button({ variant = 'secondary', size = 'normal', children, ...rest }: ButtonProps) {
  const { isPending = false, onPress, type = 'button', ...others } = rest;
  // Not React Aria's isPending: it would read out a label that is no longer there.
  return (
    <AriaButton
      {...others}
      {...(isPending ? { 'aria-disabled': true } : { onPress })}
      type={isPending ? 'button' : type}
      className={`button button-${variant} button-${size}${isPending ? ' button-pending' : ''}`}
    >
      <span className="button-content">{children}</span>
      {isPending ? <span className="spinner" role="status" aria-label="Working" /> : null}
    </AriaButton>
  );
}
