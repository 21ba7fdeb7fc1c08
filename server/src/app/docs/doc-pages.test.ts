import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { readConfig } from '../../platform/config/config.ts';
import { addDocPages } from './doc-pages.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const app = Fastify();
addDocPages(app, { ...readConfig({}), baseUrl: 'https://pay.example/base' });
after(() => app.close());

const paths = globSync('docs/**/*.md', { cwd: ROOT }).map(
  (file) => `/${file.replace(/(\/README)?\.md$/, '')}`,
);

test('every document has a page, every link on it leads to one, and no Markdown is left over', async () => {
  assert.ok(paths.length > 60);
  for (const path of [...paths, '/docs/sdk', '/docs/guides', '/docs/reference', '/docs/errors']) {
    const page = await app.inject({ url: path });
    assert.equal(page.statusCode, 200, path);
    const text = page.body.replaceAll(/<(pre|code)[^>]*>.*?<\/\1>|<style>.*?<\/style>/gs, '');
    assert.doesNotMatch(text, /\]\(|\*\*|^#|^\|/m, path);
    for (const [, href = ''] of text.matchAll(/(?:href|src)="([^"#]+)/g))
      if (href.startsWith('https://pay.example') || href.startsWith('/')) {
        const to = href.replace(/^\/base/, '');
        if (/^\/(docs|dashboard)$/.test(to)) continue;
        assert.equal((await app.inject({ url: to })).statusCode, 200, `${path} links to ${href}`);
      }
  }
});

test('pages load nothing from elsewhere, and what is no page is 404', async () => {
  const page = await app.inject({ url: '/docs/guides/first-collection' });
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  assert.doesNotMatch(page.body, /<script|src="http/);
  for (const path of [
    '/docs/guides/nothing',
    '/docs/images/../../package.json',
    '/docs/images/x.png',
  ])
    assert.equal((await app.inject({ url: path })).statusCode, 404, path);
  const raw = await app.inject({ url: '/docs/guides/go-live.md' });
  assert.equal(raw.body, readFileSync(`${ROOT}docs/guides/go-live.md`, 'utf8'));
});

test('the list for language models names every guide, reference, rule and error, and each can be read there', async () => {
  const { body } = await app.inject({ url: '/llms.txt' });
  assert.match(body, /^# Recollect\n\n> /);
  const links = Array.from(
    body.matchAll(/\]\(https:\/\/pay\.example\/base([^)]+\.md)\)/g),
    ([, to]) => to ?? '',
  );
  for (const path of paths.filter((one) => /^\/docs\/(guides|reference|errors|rules\/)/.test(one)))
    assert.ok(links.includes(`${path}.md`), path);
  for (const link of links) assert.equal((await app.inject({ url: link })).statusCode, 200, link);
});
