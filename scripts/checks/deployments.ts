import { chartFiles } from './deployments/chart.ts';
import { PARTS } from './deployments/settings.ts';
import {
  configMapText,
  credentialsText,
  environmentText,
  itemsText,
  tableText,
} from './deployments/text.ts';
import { withMarked } from './marked.ts';

/** What is written between the marks of each file. Its comments begin with `#`, those of a page with `<!--`. */
export const DEPLOYED: ReadonlyMap<string, () => string> = new Map([
  ['docs/reference/settings.md', tableText],
  ['deploy/recollect.env.example', environmentText],
  ['deploy/kubernetes/settings.yaml', configMapText],
  ['deploy/helm/recollect/values.yaml', configMapText],
  ['deploy/systemd/recollect@.service', credentialsText],
  ...PARTS.map((part) => [`deploy/kubernetes/${part}.yaml`, () => itemsText(part)] as const),
]);

/** Returns a file with the settings as the table has them; null: it has no marks. */
function withSettings(path: string, text: string): string | null {
  const settings = DEPLOYED.get(path)?.() ?? '';
  if (path.endsWith('.md')) return withMarked(text, 'settings', settings);
  const marks = /^( *)# settings: npm run generate -- deployments\n[\s\S]*?^ *# end of settings$/m;
  if (!marks.test(text)) return null;
  return text.replace(
    marks,
    (_all, indent: string) =>
      `${indent}# settings: npm run generate -- deployments\n${settings}${indent}# end of settings`,
  );
}

/** Returns the files with the settings, and the chart, once the manifests that it is made of are as they should be. */
export function* deployedFiles(
  read: (path: string) => string,
): Generator<readonly [path: string, text: string | null]> {
  const settings = (path: string): string | null => withSettings(path, read(path));
  for (const path of DEPLOYED.keys()) yield [path, settings(path)];
  if ([...DEPLOYED.keys()].every((path) => settings(path) === read(path))) yield* chartFiles(read);
}
