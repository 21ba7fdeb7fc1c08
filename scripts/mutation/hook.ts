// Loaded into a test's process before everything else: replaces the text of one file, so that nothing on disk is ever changed.
// MUTANT contains the file's URL and the text.

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { url: mutated, text } = JSON.parse(readFileSync(process.env.MUTANT ?? '', 'utf8')) as {
  url: string;
  text: string;
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url === mutated ? { ...loaded, source: text } : loaded;
  },
});
