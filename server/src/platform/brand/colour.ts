/** The contrast that WCAG 2 asks of text (level AA). */
const MIN_CONTRAST = 4.5;
/** By how much a colour is changed at once until it can be read. */
const STEP = 0.04;

/** Explains what is wrong with a colour; null: nothing. White text must be legible on it. */
export function colourError(colour: string): string | null {
  return formatError(colour) ?? (isLegible('#ffffff', colour) ? null : TOO_LIGHT);
}

const TOO_LIGHT = 'is too light: white text on it could not be read';

/** Explains what is wrong with the format of a colour; null: nothing. */
export const formatError = (colour: string): string | null =>
  /^#[0-9a-f]{6}$/i.test(colour) ? null : 'must be a colour such as #1d4ed8';

/** Whether text of one colour is legible on another. */
export const isLegible = (text: string, ground: string): boolean =>
  contrastBetween(text, ground) >= MIN_CONTRAST;

/** Returns the contrast between two colours, from 1 to 21, as WCAG 2 computes it. */
export function contrastBetween(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminanceOf).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes a colour with a part of another, from 0 to 1. */
export function mix(colour: string, other: string, part: number): string {
  const ends = channelsOf(other);
  const mixed = channelsOf(colour).map((from, at) => from + ((ends[at] ?? 0) - from) * part);
  return `#${mixed.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** Mixes a colour with `towards`, black or white, until it is legible as text on a ground. */
export function legibleOn(ground: string, colour: string, towards: string): string {
  for (let part = 0; part < 1; part += STEP) {
    const mixed = mix(colour, towards, part);
    if (isLegible(mixed, ground)) return mixed;
  }
  return towards;
}

const channelsOf = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
