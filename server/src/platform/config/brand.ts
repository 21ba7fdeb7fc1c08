import { readFileSync } from 'node:fs';
import { type Brand, DEFAULT_COLOUR, DEFAULT_NAME, DEFAULT_ON_DARK } from '../brand/brand.ts';
import { formatError, isLegible, legibleOn } from '../brand/colour.ts';
import { LARGEST_LOGO, type Logo, readLogo } from '../brand/logo.ts';
import { LIGHTEST_DARK_GROUND } from '../brand/tokens.ts';
import { errorCode } from '../values/thrown.ts';
import { type Finding, problem } from './finding.ts';
import { email, nameOf, type ValuesOf, variable } from './readers.ts';

/** What people are shown as a name fits the head of a page on a phone, and the sender of an email. */
const LONGEST_NAME = 40;

/** Reads the name of the service, which also stands in headers of emails. */
function brandName(value: string): string {
  if (value.length > LONGEST_NAME) throw new Error(`must be at most ${LONGEST_NAME} characters`);
  if (/["\\]/.test(value)) throw new Error('must be a name, without quotes and backslashes');
  return nameOf(value);
}

/** Reads an image from its path. */
function logoAt(path: string): Logo {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`must name a file that can be read: ${path} (${errorCode(error)})`);
  }
  const logo = readLogo(bytes);
  if (typeof logo === 'string')
    throw new Error(`must name a logo that can be used: ${path} ${logo}`);
  return logo;
}

function colour(value: string): string {
  const error = formatError(value);
  if (error !== null) throw new Error(error);
  if (!isLegible('#ffffff', value))
    throw new Error('must be darker: white text on it could not be read');
  return value.toLowerCase();
}

function colourOnDark(value: string): string {
  const error = formatError(value);
  if (error !== null) throw new Error(error);
  if (!isLegible(value, LIGHTEST_DARK_GROUND))
    throw new Error('must be lighter: text in it could not be read on a dark page');
  return value.toLowerCase();
}

export const BRAND_VARIABLES = {
  BRAND_NAME: variable(
    'what the service is called on pages, in emails and in authenticator apps',
    DEFAULT_NAME,
    brandName,
  ),
  BRAND_LOGO: variable(
    `the path of a logo with that name in it, which stands in its place: PNG or JPEG, at most ${LARGEST_LOGO / 1024} KB`,
    null,
    logoAt,
  ),
  BRAND_COLOUR: variable(
    'the colour of buttons and links, such as #5b21b6; white text on it must be legible',
    DEFAULT_COLOUR,
    colour,
  ),
  BRAND_COLOUR_DARK: variable(
    'the same on dark pages, where it must be legible as text; without it BRAND_COLOUR is made lighter',
    null,
    colourOnDark,
  ),
  BRAND_SUPPORT_EMAIL: variable(
    'where the people who use the service write to for help, in emails and on pages',
    null,
    email,
  ),
} as const;

export type BrandValues = ValuesOf<typeof BRAND_VARIABLES>;

/** Finds a logo without the name that is read out in its place. */
export function brandFindings(v: BrandValues): Finding[] {
  if (v.BRAND_LOGO === null || v.BRAND_NAME !== DEFAULT_NAME) return [];
  return [problem('BRAND_LOGO', 'is set without BRAND_NAME: set both')];
}

/** Returns the brand as configured. */
export function brandOf(v: BrandValues): Brand {
  const colour = v.BRAND_COLOUR ?? DEFAULT_COLOUR;
  const made =
    colour === DEFAULT_COLOUR
      ? DEFAULT_ON_DARK
      : legibleOn(LIGHTEST_DARK_GROUND, colour, '#ffffff');
  return {
    name: v.BRAND_NAME ?? DEFAULT_NAME,
    logo: v.BRAND_LOGO,
    colour,
    colourOnDark: v.BRAND_COLOUR_DARK ?? made,
    supportEmail: v.BRAND_SUPPORT_EMAIL,
  };
}
