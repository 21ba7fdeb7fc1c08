import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';
import { isProductCode } from './layout.ts';

const READS_A_CLOCK = /\bDate\.now\b|\bnew Date\(|\bTemporal\.Now\b|\bperformance\.timeOrigin\b/g;
const CLOCKS = ['server/src/platform/time/clock.ts', 'sandbox/src/clock.ts'];

/** Files that pass a `Date` to a library that requires one; each makes it from an instant it was given. */
const DATES_FOR_LIBRARIES: readonly string[] = [
  'server/src/banks/open-banking/notifications.ts',
  'server/src/operators/safeguarding/pack-file.ts',
  'server/src/platform/documents/pdf.ts',
  'server/src/sandbox/certificate-authority.ts',
];

function checkFile(file: SourceFile): Violation[] {
  const clock = file.path.startsWith('sandbox/') ? CLOCKS[1] : CLOCKS[0];
  const found = findAll(file.path, withoutComments(file.text), READS_A_CLOCK, (text) => text);
  const madeForLibrary = DATES_FOR_LIBRARIES.includes(file.path);
  return found
    .filter(({ message }) => !(madeForLibrary && message === 'new Date('))
    .map((violation) => ({
      ...violation,
      message: `${violation.message}: time is an argument; the real clock is read in ${clock} alone`,
    }));
}

/** Time is an argument: the machine's clock is read in one file of the server and one of the sandbox. */
export const clockRule: Rule = {
  name: 'clock',
  check: (files) =>
    files
      .filter(({ path }) => /^(server|sandbox)\//.test(path) && isProductCode(path))
      .filter(({ path }) => !CLOCKS.includes(path))
      .flatMap(checkFile),
};
