// Loaded into a test's process before everything else: gives it another text for one file than the one on the disk, so that
// nothing on the disk is ever changed. MUTANT holds the file's URL and the text.

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
