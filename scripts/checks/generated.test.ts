import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED, type Generated, generatedRule, type Read, staleFiles } from './generated.ts';

const read: Read = (path) => {
  const file = new URL(`../../${path}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const named = (name: string): Generated => {
  const found = GENERATED.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
};
const pathsOf = (one: Generated): string[] => [...one.render(read)].map(([path]) => path);

/** Returns which files of a name are stale when one of them has another text. */
const staleWith = (name: string, path: string, text: string): string[] =>
  staleFiles(named(name), (other) => (other === path ? text : read(other)));

test('what is generated is up to date', () => {
  for (const one of GENERATED) assert.deepEqual(staleFiles(one, read), [], one.name);
});

test('a generated file that is missing, that differs, or that has lost its place is found', () => {
  for (const one of GENERATED)
    for (const path of pathsOf(one)) {
      const text = read(path);
      const changed = [
        '',
        ...(text.includes('end of ')
          ? [text.replace('end of ', ''), text.replace(/\n([^\n]*end of )/, '\nx\n$1')]
          : [`${text} `]),
      ];
      for (const change of changed)
        assert.deepEqual(staleWith(one.name, path, change), [path], `${one.name}: ${path}`);
    }
});

test('the rule names the file, and the command that writes it', () => {
  const files = GENERATED.flatMap(pathsOf).map((path) => ({ path, text: read(path) }));
  const all = [
    ...files,
    ...['package-lock.json', 'deploy/kubernetes/network.yaml'].map((path) => ({
      path,
      text: read(path),
    })),
  ];
  assert.deepEqual(generatedRule.check(all), []);
  const path = 'docs/state-machines.md';
  const stale = all.map((one) => (one.path === path ? { path, text: '' } : one));
  assert.deepEqual(generatedRule.check(stale), [
    {
      path,
      line: 1,
      message: 'is not what the code makes of it: npm run generate -- state-machines',
    },
  ]);
});

test('the pages show the tables of the code', () => {
  const shows = (path: string, line: RegExp): void => assert.match(read(path), line);
  shows('docs/rules/retention.md', /^\| Operations \| `idempotency_keys` \| 24 hours \| .+ \|$/m);
  shows('docs/rules/retention.md', /^\| Operations \| `request_log` \| 7 days \| .+ \|$/m);
  shows('docs/reference/log-events.md', /^\| `payment\.outcome_overdue` \| error \| .+ \| .+ \|$/m);
  shows(
    'docs/reference/metrics.md',
    /^\| `recollect_bank_calls_total` \| counter \| `bank`, .+ \| .+ \|$/m,
  );
  shows('docs/state-machines.md', /\n {2}failed --> move : late payment, /);
  shows('docs/state-machines.md', /\| `payments\.status` \| `payment_work\.stage` \|/);
});
