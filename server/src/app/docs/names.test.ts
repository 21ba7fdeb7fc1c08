import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOCUMENTS, textOf } from '../../../test-support/documents.ts';
import { METRICS } from '../../operators/metrics/table.ts';
import { VARIABLES } from '../../platform/config/config.ts';
import { SECRET_SETTINGS } from '../../platform/config/secrets.ts';
import { LOG_EVENTS } from '../../platform/log/log-events.ts';
import { ERROR_STATUS } from '../../platform/values/errors.ts';
import { EVENT_KINDS, TEST_EVENT_KIND } from '../../webhooks/endpoint.ts';

const CODE = textOf('{server/src,server/test-support,sandbox/src,scripts}/**/!(*.test).ts');

/** Returns what the documents name by a pattern and does not exist, each with its page. Its first group is the name. */
function unknown(pattern: RegExp, exists: (name: string, found: RegExpMatchArray) => boolean) {
  const found = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map((match) => ({ path, name: match[1] ?? '', match })),
  );
  assert.ok(found.length > 0, 'the documents name some');
  return found
    .filter(({ name, match }) => !exists(name, match))
    .map(({ path, name }) => `${path}: ${name}`);
}

test('every setting that the documents name exists', () => {
  const settings = new Set(Object.keys(VARIABLES));
  for (const name of SECRET_SETTINGS) settings.add(`${name}_FILE`);
  const areas = new Set(Array.from(settings, (name) => name.split('_', 1).join()));
  // A name that begins as none of the settings is a constant, or a bank's code: the code has it. Others' variables stand in none.
  const exists = (name: string): boolean =>
    settings.has(name) ||
    /^(NODE|OTEL|HTTP)_/.test(name) ||
    (!areas.has(name.split('_', 1).join()) && CODE.includes(name));
  assert.deepEqual(unknown(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`\n]*)?`/g, exists), []);
  assert.deepEqual(unknown(/^ *(?:export )?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=/gm, exists), []);
});

test('every event of the log, webhook and stage that the documents name exists', () => {
  const events = new Set<string>([...Object.keys(LOG_EVENTS), ...EVENT_KINDS, TEST_EVENT_KIND]);
  const areas = new Set(Array.from(events, (name) => name.split('.', 1).join()));
  const exists = (name: string): boolean =>
    events.has(name) || !areas.has(name.split('.', 1).join()) || CODE.includes(`'${name}'`);
  assert.deepEqual(unknown(/`([a-z_]+\.[a-z_]+)`/g, exists), []);
});

test('every metric that the documents name exists', () => {
  const logins = textOf('deploy/postgres/roles.sql');
  const series = /_(?:bucket|sum|count)$/;
  const exists = (name: string): boolean =>
    Object.hasOwn(METRICS, name) ||
    Object.hasOwn(METRICS, name.replace(series, '')) ||
    new RegExp(`\\b${name}\\b`).test(logins);
  assert.deepEqual(unknown(/\b(recollect_[a-z_]+)\b(?!…)/g, exists), []);
});

test('every alert that the documents name exists', () => {
  const alerts = textOf('deploy/monitoring/alerts.yaml');
  const exists = (name: string): boolean => alerts.includes(`- alert: ${name}\n`);
  assert.deepEqual(unknown(/`(Recollect[A-Z][A-Za-z]+)`/g, exists), []);
});

test('every error code that the documents name has the status beside it', () => {
  const statuses: Readonly<Record<string, number>> = ERROR_STATUS;
  const exists = (code: string, [, , before]: RegExpMatchArray): boolean =>
    statuses[code] === Number(before);
  assert.deepEqual(unknown(/\b(?=[45]\d\d \[?`([a-z_]+)`)(\d{3})/g, exists), []);
});
