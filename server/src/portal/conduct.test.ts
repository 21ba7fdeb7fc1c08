import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pngChunk, pngOf } from '../../test-support/images.ts';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';
import { BankRefused } from '../banks/bank.ts';
import { paymentError, UNEXPLAINED } from '../banks/status-codes.ts';
import { changeBranding } from '../merchants/branding/branding-service.ts';

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

test('every page is private, unframed, without a script but our own, and tells nobody where it was', async () => {
  const { token } = await customer.waiting();
  const following = "script-src 'self'; connect-src 'self'; ";
  for (const [path, scripts, forms] of [
    [token, following, "'self' https: http:"],
    [`${token}/decline`, '', "'self' https: http:"],
    [`${token}/done`, '', "'none'"],
    ['nonsense', '', "'none'"],
  ]) {
    const { headers } = await customer.get(path ?? '');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; img-src 'self'; " +
        `${scripts}form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-robots-tag'], 'noindex, nofollow');
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  }
  const callback = await customer.get('callback');
  assert.match(String(callback.headers['content-security-policy']), /script-src 'self';/);
});

test('in live mode a form may end at https addresses only', async () => {
  const live = await portalBench({ mode: 'live', baseUrl: 'https://pay.example' });
  try {
    const { merchantId } = await live.merchant();
    const { token } = await live.schedule(merchantId);
    const { headers } = await live.app.inject({ url: `/consent/${token}` });
    assert.match(String(headers['content-security-policy']), /form-action 'self' https:;/);
  } finally {
    await live.close();
  }
});

test('colours, style, script and icon are kept for ever under a name of their content', async () => {
  const { body } = await customer.get('callback');
  const files = [...body.matchAll(/\/consent\/(assets\/[^"]+)"/g)].map((m) => m[1] ?? '');
  assert.equal(new Set(files).size, 4);
  for (const file of files) {
    const answer = await customer.get(file);
    assert.equal(answer.statusCode, 200, file);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
  }
});

test("a merchant's logo is served as the image it is, and under no other merchant or name", async () => {
  const script = pngChunk('tEXt', Buffer.from('a\0<script>alert(1)</script>'));
  const { merchantId } = await bench.merchant();
  const { merchantId: other } = await bench.merchant();
  const { logo } = await bench.platform.db.forMerchant(merchantId, (tx) =>
    changeBranding(
      bench.platform,
      { tx, now: bench.platform.clock.now(), merchantId },
      { logo: pngOf({ width: 8, height: 8 }, script).toString('base64'), colour: '#123456' },
    ),
  );
  const { token } = await bench.schedule(merchantId);
  const page = await customer.get(token);
  const [, path = ''] = /<img class="logo-mark" src="\/consent\/([^"]+)"/.exec(page.body) ?? [];
  assert.equal(`http://localhost:4000/consent/${path}`, logo?.url);
  const { statusCode, headers } = await customer.get(path);
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  for (const wrong of [path.replace(merchantId, other), `${path.slice(0, -1)}0`, 'logos/a/b'])
    if (wrong !== path) assert.equal((await customer.get(wrong)).statusCode, 404, wrong);
});

test('the sheet of a colour has that colour and nothing else from its address', async () => {
  const { body, headers } = await customer.get('colours/123456.css');
  assert.match(body, /--brand: #123456;/);
  assert.equal(headers['content-type'], 'text/css; charset=utf-8');
  for (const wrong of ['12345.css', '12345g.css', '123456.css;x', '123456%7D.css', '123456'])
    assert.equal((await customer.get(`colours/${wrong}`)).statusCode, 404, wrong);
});

test('a link that nobody was given leads to the same page whatever it looks like', async () => {
  const { token } = await customer.waiting();
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  const answers = await Promise.all([
    customer.get('nonsense'),
    customer.get(other),
    customer.get(`${other}/done`),
    customer.get(`${other}/decline`),
    customer.get(`${other}/withdraw`),
    customer.post(`${other}/bank`, { bank_id: 'alder' }),
    customer.post(`${other}/decline`),
    customer.post(`${other}/withdraw`),
    customer.get('a/b/c'),
    customer.get(''),
  ]);
  for (const answer of answers) {
    assert.equal(answer.statusCode, 404);
    assert.equal(answer.body, answers[0]?.body);
    assert.ok(!answer.body.includes('Fernhill'));
  }
});

test('forms that another site sent are refused', async () => {
  const w = await customer.waiting();
  const elsewhere: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ];
  for (const headers of elsewhere) {
    const answer = await customer.post(`${w.token}/decline`, {}, headers);
    assert.equal(answer.statusCode, 403);
    assert.match(textOf(answer), /came from another website/);
  }
  assert.equal(await customer.statusOf(w), 'pending_consent');
  const own = await customer.post(
    `${w.token}/decline`,
    {},
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  );
  assert.equal(own.statusCode, 303);
});

test('a body that is no form, or too large a one, is told on a page', async () => {
  const w = await customer.waiting();
  const json = await bench.app.inject({
    method: 'POST',
    url: `/consent/${w.token}/decline`,
    payload: { a: 1 },
  });
  assert.equal(json.statusCode, 415);
  assert.match(textOf(json), /could not read this request/);
  const large = await customer.post('callback', { fragment: 'x'.repeat(40_000) });
  assert.equal(large.statusCode, 413);
  assert.match(textOf(large), /could not read this request/);
});

test('what fails on our side is told on a page that shows no internals', async () => {
  const w = await customer.waiting();
  const { authorisationUrl } = bench.banks.birch;
  bench.banks.birch.authorisationUrl = async () => {
    throw new Error('secret internals');
  };
  const answer = await customer.choose(w.token, 'birch');
  bench.banks.birch.authorisationUrl = authorisationUrl;
  assert.equal(answer.statusCode, 500);
  assert.match(textOf(answer), /Something went wrong on our side/);
  assert.ok(!answer.body.includes('secret'));
});

test('a customer for whose consent the bank has no page begins again with another one', async () => {
  const w = await customer.waiting();
  const { birch } = bench.banks;
  const { authorisationUrl } = birch;
  birch.authorisationUrl = async () => {
    throw new BankRefused(paymentError(UNEXPLAINED, 'Invalid State'));
  };
  const refused = await customer.choose(w.token, 'birch');
  birch.authorisationUrl = authorisationUrl;
  assert.equal(refused.statusCode, 503);
  assert.equal((await customer.choose(w.token, 'birch')).statusCode, 303);
});

test('what one address asks for beyond the limit has to wait, pages too', async () => {
  const small = await portalBench({ rateLimitPerMinute: 2 });
  try {
    const statuses = [];
    for (let i = 0; i < 3; i += 1)
      statuses.push(
        (await small.app.inject({ method: 'POST', url: '/consent/callback' })).statusCode,
      );
    assert.deepEqual(statuses, [404, 404, 429]);
    const page = await small.app.inject({ url: '/consent/callback' });
    assert.equal(page.statusCode, 429);
    assert.match(page.body, /Too many attempts/);
  } finally {
    await small.close();
  }
});
