import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { useNavigate } from 'react-router';
import { Check, Ellipsis } from '../icons.tsx';

export interface MenuEntry {
  label: string;
  onAction?: (() => void) | undefined;
  /** The path of an entry that links within the dashboard. */
  to?: string;
  tone?: 'danger';
  isDisabled?: boolean;
  /** Marks the current choice. */
  isChosen?: boolean;
}

interface MenuProps {
  /** What the menu is about, for screen readers. */
  label: string;
  items: readonly MenuEntry[];
  /** Replaces the three dots; its text then names the button. */
  trigger?: ReactNode;
  className?: string;
}

/** A button that opens a list of actions. */
export function Menu({ label, items, trigger, className = 'icon-button' }: MenuProps) {
  const navigate = useNavigate();
  const choose = (item: MenuEntry) => {
    item.onAction?.();
    if (item.to !== undefined) void navigate(item.to);
  };
  return (
    <MenuTrigger>
      <Button className={className} {...(trigger === undefined ? { 'aria-label': label } : {})}>
        {trigger ?? <Ellipsis aria-hidden="true" />}
      </Button>
      <Popover className="menu-popover" placement="bottom end">
        <AriaMenu className="menu" aria-label={label}>
          {items.map((item) => (
            <MenuItem
              key={item.label}
              id={item.label}
              className={item.tone === 'danger' ? 'menu-item menu-item-danger' : 'menu-item'}
              isDisabled={item.isDisabled ?? false}
              textValue={item.label}
              onAction={() => choose(item)}
            >
              <span>{item.label}</span>
              {item.isChosen ? <Check aria-label="chosen" /> : null}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
