import { chartFiles } from './deployments/chart.ts';
import { PARTS } from './deployments/settings.ts';
import {
  configMapText,
  credentialsText,
  environmentText,
  itemsText,
  tableText,
} from './deployments/text.ts';
import type { Rule } from './files.ts';
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
export function withSettings(path: string, text: string): string | null {
  const settings = DEPLOYED.get(path)?.() ?? '';
  if (path.endsWith('.md')) return withMarked(text, 'settings', settings);
  const marks = /^( *)# settings: npm run deployments\n[\s\S]*?^ *# end of settings$/m;
  if (!marks.test(text)) return null;
  return text.replace(
    marks,
    (_all, indent: string) =>
      `${indent}# settings: npm run deployments\n${settings}${indent}# end of settings`,
  );
}

/** The files of deployments, and the page of settings, have every setting of the table; the chart is as the manifests are. */
export const deploymentsRule: Rule = {
  name: 'deployments',
  check: (files) => {
    const read = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
    const message = 'does not show the settings as they are: npm run deployments';
    const found = [...DEPLOYED.keys()].flatMap((path) => {
      const text = read(path);
      return withSettings(path, text) === text && text !== '' ? [] : [{ path, line: 1, message }];
    });
    // A chart cannot be made of manifests that are not as they should be.
    if (found.length > 0) return found;
    return [...chartFiles(read)]
      .filter(([path, text]) => read(path) !== text)
      .map(([path]) => ({
        path,
        line: 1,
        message: 'is not as it is written: npm run deployments',
      }));
  },
};
