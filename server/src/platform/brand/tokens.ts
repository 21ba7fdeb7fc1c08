import type { Brand } from './brand.ts';
import { legibleOn, mix } from './colour.ts';

// Fonts, distances and colours of all that people see: the portal, the dashboard, the console, emails and the documentation take
// theirs from here. Every pair of text and ground has a contrast of at least 4.5, on light pages (the first of two) and on dark.

type Pair = readonly [light: string, dark: string];

const [BLACK, WHITE] = ['#000000', '#ffffff'];

const COLOURS = {
  ground: ['#f6f8f7', '#0c1210'],
  card: [WHITE, '#141c19'],
  raised: ['#f4f7f5', '#19221f'],
  hover: ['#eef3f0', '#1d2823'],
  ink: ['#15211d', '#e9f0ed'],
  quiet: ['#4d5c56', '#a3b2ac'],
  line: ['#e0e7e3', '#25302c'],
  'line-strong': ['#c9d3ce', '#36443e'],
  control: ['#7b8a84', '#75857e'],
  info: ['#1d4f91', '#9cc4ff'],
  'info-soft': ['#e8f0fb', '#15273f'],
  success: ['#0a6144', '#74d8b2'],
  'success-soft': ['#e2f3eb', '#11332a'],
  warning: ['#6b4a00', '#f1c877'],
  'warning-soft': ['#fdf2d9', '#35290d'],
  danger: ['#a82518', '#ff9d90'],
  'danger-hover': ['#8b1d12', '#ffb3a8'],
  'danger-soft': ['#fdecea', '#3b1915'],
  'on-danger': [WHITE, '#330b06'],
  'neutral-soft': ['#ebefed', '#222c28'],
  veil: ['rgb(13 25 20 / 45%)', 'rgb(0 0 0 / 60%)'],
  'shadow-card': ['0 1px 2px rgb(16 40 32 / 4%)', '0 1px 2px transparent'],
  'shadow-float': [
    '0 4px 12px rgb(16 40 32 / 8%), 0 16px 40px rgb(16 40 32 / 12%)',
    '0 4px 12px rgb(0 0 0 / 40%), 0 16px 40px rgb(0 0 0 / 50%)',
  ],
  'chart-collected': ['#0b6e4f', '#3fbf93'],
  'chart-failed': ['#c2412f', '#f0806f'],
  'chart-settled': ['#2f6fb5', '#74aef0'],
  'chart-waiting': ['#c98a2b', '#d9a955'],
  'chart-recovered': ['#e6b3a9', '#7d4a42'],
  'chart-upcoming': ['#7fb9a3', '#2f7d63'],
} as const satisfies Readonly<Record<string, Pair>>;

const SHARED = {
  radius: '0.75rem',
  'radius-small': '0.5rem',
  font: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  'font-code': 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  'chart-lost': 'var(--chart-failed)',
} as const;

const DARK_GROUND = COLOURS.ground[1];
/** The lightest ground of dark pages: what is legible on it is legible on all of them. */
export const LIGHTEST_DARK_GROUND = COLOURS.hover[1];

/** Returns the colours that follow from the brand's. */
function brandColours({ colour, colourOnDark }: Brand) {
  const soft: Pair = [mix(WHITE, colour, 0.11), mix(COLOURS.card[1], colourOnDark, 0.16)];
  const onSoft: Pair = [
    legibleOn(soft[0], colour, BLACK),
    legibleOn(soft[1], mix(colourOnDark, WHITE, 0.15), WHITE),
  ];
  return {
    accent: [colour, colourOnDark],
    'accent-hover': [mix(colour, BLACK, 0.15), mix(colourOnDark, WHITE, 0.15)],
    /** Under white text, on light pages and on dark. */
    'accent-deep': [mix(colour, BLACK, 0.3), mix(colour, BLACK, 0.3)],
    'accent-soft': soft,
    'accent-ink': onSoft,
    'on-accent': [WHITE, DARK_GROUND],
  } as const satisfies Readonly<Record<string, Pair>>;
}

type Token = keyof typeof COLOURS | keyof ReturnType<typeof brandColours>;

const coloursOf = (brand: Brand): [Token, Pair][] =>
  Object.entries({ ...COLOURS, ...brandColours(brand) }) as [Token, Pair][];

/** Returns the colours of light pages by name, and the font: for emails, whose readers know no variables. */
export function emailTokens(brand: Brand): Readonly<Record<Token | 'font', string>> {
  const light = coloursOf(brand).map(([name, [value]]) => [name, value]);
  return { ...Object.fromEntries(light), font: SHARED.font.replaceAll('"', '') };
}

/**
 * Returns the tokens as variables of a sheet of style: dark on a screen whose system is, unless the page has a theme of its own,
 * and light on paper.
 */
export function tokenSheet(brand: Brand): string {
  const all = coloursOf(brand);
  const light = all.map(([name, [value]]) => `  --${name}: ${value};`);
  const dark = all.map(([name, [, value]]) => `  --${name}: ${value};`).join('\n');
  const shared = Object.entries(SHARED).map(([name, value]) => `  --${name}: ${value};`);
  return `:root {
  color-scheme: light dark;
${[...shared, ...light].join('\n')}
}
@media screen {
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] {
  color-scheme: dark;
${dark}
}
}
@media screen and (prefers-color-scheme: dark) {
:root:not([data-theme="light"]) {
${dark}
}
}
`;
}
