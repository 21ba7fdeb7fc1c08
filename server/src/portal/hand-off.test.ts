import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import decodeQr from 'qr/decode.js';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';

// From a wide screen to the phone with the bank's app: docs/rules/consents.md#on-another-device.

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench({ baseUrl: 'https://pay.example/recollect' });
  customer = portalVisitor(bench);
});
after(() => bench.close());

const PIXELS = 4;

/** Reads the QR code of a page as a scanner does: from its pixels. */
function scan(html: string): string {
  const [, box = '', path = ''] =
    /<svg class="qr" viewBox="0 0 (\d+) \d+".*?<path d="([^"]*)"/s.exec(html) ?? [];
  const side = Number(box) * PIXELS;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let row = Number(y) * PIXELS; row < (Number(y) + 1) * PIXELS; row += 1)
      for (let at = Number(x) * PIXELS; at < (Number(x) + Number(length)) * PIXELS; at += 1)
        data.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3);
  return decodeQr({ width: side, height: side, data });
}

const progressOf = async (token: string): Promise<string> => {
  const { statusCode, headers, body } = await customer.get(`${token}/progress`);
  assert.equal(statusCode, 200);
  assert.equal(headers['cache-control'], 'no-store');
  return (JSON.parse(body) as { progress: string }).progress;
};

test('the code on the page is the link of this page, with its host', async () => {
  const { token } = await customer.waiting();
  assert.equal(
    scan((await customer.get(token)).body),
    `https://pay.example/recollect/consent/${token}`,
  );
});

test('the page that is followed names what it shows, and each further step differs from it', async () => {
  const w = await customer.waiting();
  const { body } = await customer.get(w.token);
  const [, shown = ''] = /data-progress="([^"]+)"/.exec(body) ?? [];
  assert.equal(await progressOf(w.token), shown);
  const state = await customer.depart(w.token);
  assert.equal(await progressOf(w.token), shown, 'to be at the bank is no news');
  bench.issuer.isDown = true;
  await customer.arrive(state);
  bench.issuer.isDown = false;
  const finishing = await customer.get(`${w.token}/done`);
  assert.match(String(finishing.headers['content-security-policy']), /connect-src 'self'/);
  assert.match(finishing.body, new RegExp(`data-progress="${await progressOf(w.token)}"`));
  const [denied, agreed] = [await customer.waiting(), await customer.granted()];
  await customer.post(`${denied.token}/decline`);
  assert.match(await progressOf(denied.token), /^denied/);
  assert.match(await progressOf(agreed.token), /^granted/);
});

test('a page that followed the link to other terms is shown what changed, and to the same ones how it stands', async () => {
  const w = await customer.waiting();
  const [, next = ''] = /data-next="[^"]*\/consent\/([^"]+)"/.exec(
    (await customer.get(w.token)).body,
  ) ?? [''];
  const path = next.replaceAll('&#61;', '=');
  assert.match(textOf(await customer.get(path)), /Your bank has not confirmed yet/);
  await bench.update(w.merchantId, w.scheduleId, { amount: { value: 3999, currency: 'GBP' } });
  const changed = await customer.get(path);
  assert.equal(changed.statusCode, 409);
  assert.match(textOf(changed), /The terms have changed.*£39\.99.*Before: £34\.99/);
});

test('the progress of a link that nobody was given tells nothing', async () => {
  const { statusCode, body } = await customer.get(`${'a'.repeat(65)}/progress`);
  assert.equal(statusCode, 404);
  assert.equal(body, '{"progress":null}');
});
