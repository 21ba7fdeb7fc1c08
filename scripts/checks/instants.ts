import { findAll, type Rule, withoutComments } from './files.ts';
import { isProductCode } from './layout.ts';

const INSTANTS = 'server/src/platform/values/instants.ts';
const COMPARES = /\bTemporal\.Instant\.compare\b/g;

/** Instants are compared in one file: Temporal's own comparison costs ten times as much, and stands in every loop over rows. */
export const instantsRule: Rule = {
  name: 'instants',
  check: (files) =>
    files
      .filter(({ path }) => path.startsWith('server/src/') && isProductCode(path))
      .filter(({ path }) => path !== INSTANTS)
      .flatMap(({ path, text }) =>
        findAll(
          path,
          withoutComments(text),
          COMPARES,
          (found) =>
            `${found}: isBefore, isAfter, earlier, later and compareInstants of ${INSTANTS}`,
        ),
      ),
};
