import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, sectionsOf } from './markdown.ts';

const render = (text: string) =>
  renderMarkdown(text, (href) => (href.startsWith('lost') ? null : `/to/${href}`));

test('headings, paragraphs and what stands in a line', () => {
  assert.equal(
    render('# A `b`: <c>\n\nSome **bold** and *light*\nwords.'),
    '<h1 id="a-b-c">A <code>b</code>: &#60;c&#62;</h1>\n<p>Some <strong>bold</strong> and <em>light</em>\nwords.</p>\n',
  );
  assert.equal(
    render('[a `code`](x.md), [b](lost.md), ![c](y.png)'),
    '<p><a href="/to/x.md">a <code>code</code></a>, b, <img src="/to/y.png" alt="c"></p>\n',
  );
});

test('equal headings of a page have anchors of their own, as GitHub makes them', () => {
  assert.equal(
    render('## Refunds, twice\n\n## Refunds, twice'),
    '<h2 id="refunds-twice">Refunds, twice</h2>\n<h2 id="refunds-twice-1">Refunds, twice</h2>\n',
  );
});

test('a document falls into sections, of which a search reads the words and not the marks', () => {
  const page =
    '# A `b`\n\nSome **bold** [link](x.md).\n\n```sh\nnpm ci\n```\n\n## C\n\n<!-- no word -->\n\n| d | e |\n|---|---|\n| f | g |';
  assert.deepEqual(
    sectionsOf(page).map(({ fragment, depth, heading, text }) => [
      fragment,
      depth,
      heading,
      text.trim().split(/ +/).join(' '),
    ]),
    [
      ['a-b', 1, 'A b', 'Some bold link. npm ci'],
      ['c', 2, 'C', 'd e f g'],
    ],
  );
});

test('a long name in a line may go on after a dot, slash or underscore', () => {
  assert.equal(
    render('`schedule.setup_success` to `/a/{id}/v1`, `a & b` 1.5'),
    '<p><code>schedule.<wbr>setup_<wbr>success</code> to <code>/a/<wbr>{id}/<wbr>v1</code>, <code>a &#38; b</code> 1.5</p>\n',
  );
});

test('lists with lines that go on, code, and tables with pipes in their cells', () => {
  assert.equal(
    render('- one\n  goes on\n- two\n\n1. first\n2. second'),
    '<ul>\n<li>one\ngoes on</li>\n<li>two</li>\n</ul>\n<ol>\n<li>first</li>\n<li>second</li>\n</ol>\n',
  );
  assert.match(
    render('```ts\nconst a = `<b>`;\n\n# no heading\n```'),
    /&#60;b&#62;.*;\n\n# no heading</,
  );
  assert.match(
    render('| a | b |\n|---|---|\n| `x` | 1 \\| 2 |'),
    /<th>a<\/th><th>b<\/th>.*<td><code>x<\/code><\/td><td>1 \| 2<\/td>/,
  );
});

test('no markup of a document becomes markup of the page', () => {
  const page = render('<script>alert(1)</script> [x](y"onclick="z) `</code><b>`');
  assert.doesNotMatch(page, /<script|"onclick|<b>/);
});
