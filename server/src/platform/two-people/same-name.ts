/** Letters and digits that are read as the Latin letter behind them: Cyrillic, Greek, Armenian, and a few of our own. */
const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ['АВЕКМНОРСТУХЅІЈԚԜ', 'abekmhopctyxsljqw'],
  ['авекмнорстухѕіјԛԝԁһӏ', 'abekmhopctyxsljqwdhl'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abezhlkmnoptyx'],
  ['αβεηικνορτυχγ', 'abenlkvoptuxy'],
  ['ՕՏԼՍոսցօհ', 'oslunugoh'],
  ['01Iiıøđłɡɑ', 'ollllodlga'],
  ['ς', 'σ'], // a capital “Σ” becomes either, by what stands beside it
];

const READ_AS = new Map(
  LOOK_ALIKES.flatMap(([from, to]) => [...from].map((letter, at) => [letter, [...to][at]])),
);

/**
 * Folds a name to what an eye reads: without case, accents, spaces, dots and hyphens, and with letters of other scripts as the
 * Latin ones that they look like. Two names with one fold are taken for one person's where two people are needed. An address
 * loses what stands behind a plus sign, which its owner may choose freely.
 */
function foldName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replace(/\+[^@]*@/, '@');
  const read = [...plain].map((letter) => READ_AS.get(letter) ?? letter).join('');
  const folded = [...read.toLowerCase()].map((letter) => READ_AS.get(letter) ?? letter).join('');
  return folded.replaceAll(/[^\p{L}\p{N}@]/gu, '').toLowerCase();
}

/** Whether two names are read as one. */
export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}
