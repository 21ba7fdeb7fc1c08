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

const paths = globSync('docs/**/*.md', { cwd: ROOT }).map((file) =>
  `/${file.replace(/(\/README)?\.md$/, '')}`.replace('/docs/index', '/docs/guides'),
);

test('every document has a page, every link on it leads to one, and no Markdown is left over', async () => {
  assert.ok(paths.length > 60);
  for (const path of [
    ...paths,
    '/docs/sdk',
    '/docs/python',
    '/docs/php',
    '/docs/changelog',
    '/docs/reference',
    '/docs/errors',
  ]) {
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

test('the first page has three pictures, and ends in a list of the guides, in the order in which they are read', async () => {
  const { body } = await app.inject({ url: '/docs/guides' });
  assert.equal(body.match(/<img /g)?.length, 3);
  const list = body.split('<h2 id="all-guides">')[1] ?? '';
  const guides = Array.from(
    list.matchAll(/href="\/base\/docs\/guides\/([\w-]+)"/g),
    ([, name]) => name,
  );
  assert.deepEqual(guides.slice(0, 2), ['first-collection', 'merchants']);
  const all = paths.filter((path) => path.startsWith('/docs/guides/'));
  assert.deepEqual(guides.toSorted(), all.map((path) => path.split('/')[3]).toSorted());
});

test('a search finds a page by its title and a section by its words, forgives a slip, and shows words as they are', async () => {
  const search = async (words: string) => {
    const { body } = await app.inject({ url: `/docs/search?q=${encodeURIComponent(words)}` });
    return Array.from(body.matchAll(/<li><a href="([^"]+)"/g), ([, href]) => href);
  };
  assert.equal((await search('idempotency_conflict'))[0], '/base/docs/errors/idempotency_conflict');
  assert.equal((await search('Refunds'))[0], '/base/docs/rules/refunds');
  assert.equal((await search('unknon outcom'))[0], '/base/docs/rules/payments#unknown-outcomes');
  assert.deepEqual(await search('"><script>'), []);
  const { body } = await app.inject({ url: '/docs/search?q=%22%3E%3Cb%3E' });
  assert.match(body, /Nothing found/);
  assert.doesNotMatch(body, /<b>/);
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
  for (const path of paths.filter((one) => /^\/docs\/(guides\/|reference|errors|rules)/.test(one)))
    assert.ok(links.includes(`${path}.md`), path);
  for (const link of links) assert.equal((await app.inject({ url: link })).statusCode, 200, link);
});
