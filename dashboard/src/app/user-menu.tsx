import { SUPPORT_EMAIL } from '../ui/brand.tsx';
import { ChevronsUpDown } from '../ui/icons.tsx';
import { Menu, type MenuEntry } from '../ui/overlays/menu.tsx';
import { roleLabel } from '../ui/role.ts';
import { APPEARANCE, useAppearance } from './appearance.ts';
import { type MeView, switchMerchant, useMe } from './session.tsx';
import { leave } from './sign-out.ts';

const LABELS = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
  comfortable: 'Rows: comfortable',
  compact: 'Rows: compact',
} as const;

/** The choices of how pages look. */
function useLooks(): MenuEntry[] {
  const [theme, chooseTheme] = useAppearance('theme');
  const [density, chooseDensity] = useAppearance('density');
  return [
    ...APPEARANCE.theme.map((each) => ({
      label: LABELS[each],
      isChosen: each === theme,
      onAction: () => chooseTheme(each),
    })),
    ...APPEARANCE.density.map((each) => ({
      label: LABELS[each],
      isChosen: each === density,
      onAction: () => chooseDensity(each),
    })),
  ];
}

function otherMerchants(me: MeView): MenuEntry[] {
  return me.merchants
    .filter(({ id }) => id !== me.merchant.id)
    .map(({ id, name }) => ({ label: `Switch to ${name}`, onAction: () => switchMerchant(id) }));
}

/** The signed-in user, and their own pages. */
export function UserMenu({ onLeave }: { onLeave?: (() => void) | undefined }) {
  const me = useMe();
  const looks = useLooks();
  const items: MenuEntry[] = [
    { label: 'Your security', to: '/settings/security', onAction: onLeave },
    ...otherMerchants(me),
    ...looks,
    ...(SUPPORT_EMAIL === ''
      ? []
      : [{ label: 'Help', onAction: () => location.assign(`mailto:${SUPPORT_EMAIL}`) }]),
    { label: 'Sign out', onAction: leave },
  ];
  return (
    <Menu
      label="Your account"
      className="user-button"
      items={items}
      trigger={
        <>
          <span className="avatar" aria-hidden="true">
            {me.user.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="user-text">
            <span className="user-name">{me.user.name}</span>
            <span className="user-role">
              {roleLabel(me.merchant.role)}
              <span className="visually-hidden">, your account</span>
            </span>
          </span>
          <ChevronsUpDown aria-hidden="true" />
        </>
      }
    />
  );
}
