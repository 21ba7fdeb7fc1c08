import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pngOf } from '../images.ts';
import type { SettingCase } from './notices.ts';

const folder = mkdtempSync(join(tmpdir(), 'brand-'));
const fileOf = (name: string, bytes: Buffer | string): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
/** The path of a logo. */
export const LOGO = fileOf('logo.png', pngOf({ width: 120, height: 30, rgb: [0x5b, 0x21, 0xb6] }));
const SCRIPT = fileOf('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

/** A whole brand, as an operator sets it. */
export const LARCH_PAY = {
  BRAND_NAME: 'Larch Pay',
  BRAND_LOGO: LOGO,
  BRAND_COLOUR: '#5b21b6',
  BRAND_SUPPORT_EMAIL: 'help@larch.example',
} as const;

export const BRAND_CASES = {
  BRAND_NAME: {
    good: [['Larch Pay', 'Larch Pay', (c) => c.brand.name]],
    bad: ['123', '<b>', 'x'.repeat(41), 'Larch "Pay"', 'Larch\r\nBcc: all'],
  },
  BRAND_LOGO: {
    set: { BRAND_NAME: 'Larch Pay' },
    good: [[LOGO, 120, (c) => c.brand.logo?.width]],
    bad: [SCRIPT, join(folder, 'none.png'), folder, 'https://larch.example/logo.png'],
  },
  BRAND_COLOUR: {
    good: [
      ['#5B21B6', '#5b21b6', (c) => c.brand.colour],
      ['#0a6650', '#3fbf93', (c) => c.brand.colourOnDark],
    ],
    bad: ['purple', '#5b2', '#ffcc00', '#ffffff'],
  },
  BRAND_COLOUR_DARK: {
    good: [['#C4B5FD', '#c4b5fd', (c) => c.brand.colourOnDark]],
    bad: ['#5b21b6', 'mauve'],
  },
  BRAND_SUPPORT_EMAIL: {
    good: [['help@larch.example', 'help@larch.example', (c) => c.brand.supportEmail]],
    bad: ['larch.example', 'Help <help@larch.example>'],
  },
} as const satisfies Record<string, SettingCase>;
