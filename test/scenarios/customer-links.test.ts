import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Role } from '../../server/src/merchants/role.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { DashboardVisitor } from '../../server/test-support/dashboard-visitor.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { newSchedule } from './acts.ts';

interface Links {
  id: string;
  status: string;
  consent_url?: string;
  portal_url?: string;
}

let service: TestService;
let waiting: string;
let granted: string;
before(async () => {
  service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  waiting = (await newSchedule(service, { description: 'Waiting' })).id;
  granted = (await newSchedule(service, { description: 'Granted' })).id;
  await service.grant(granted);
});
after(() => service.close());

async function member(role: Role): Promise<DashboardVisitor> {
  const { platform } = service.running;
  const email = `${role}@fernhill.example`;
  const { url } = await platform.db.transaction((tx) =>
    createUser(
      platform,
      { tx, now: platform.clock.now(), merchantId: service.merchantId, actorId: 'operator:test' },
      { email, name: role, role },
    ),
  );
  const visitor = new DashboardVisitor(service.baseUrl);
  assert.equal((await visitor.setPassword(url, 'correct horse battery')).status, 200);
  return visitor;
}

const read = async (id: string) =>
  (await service.api<Links>('GET', `/api/v1/schedules/${id}`)).body;

test('a schedule whose consent was granted has the address of the customer’s page, and it works', async () => {
  const [before, after] = [await read(waiting), await read(granted)];
  assert.match(before.consent_url ?? '', /\/consent\//);
  assert.equal(before.portal_url, undefined);
  assert.equal(after.consent_url, undefined);
  const list = await service.api<{ data: Links[] }>('GET', '/api/v1/schedules');
  assert.equal(list.body.data.find(({ id }) => id === granted)?.portal_url, after.portal_url);
  const page = await fetch(after.portal_url ?? '');
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Granted/);
});

test('an update may carry it back as it was read, and does not change it', async () => {
  const { portal_url } = await read(granted);
  const path = `/api/v1/schedules/${granted}`;
  const put = await service.api<Links>('PUT', path, { portal_url, max_retries: 1 });
  assert.equal(put.status, 400, 'it is output only');
  assert.equal((await read(granted)).portal_url, portal_url);
});

test('read-only members get no link of a customer, wherever they look', async () => {
  const reader = await member('read_only');
  const paths = [waiting, granted].flatMap((id) => [
    `/api/v1/schedules/${id}`,
    `/api/schedules/${id}/consent`,
  ]);
  for (const path of [...paths, '/api/v1/schedules', '/api/v1/schedules?after=start']) {
    const { status, body } = await reader.call('GET', path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(JSON.stringify(body), /\/consent\//, path);
  }
  const refused = await reader.call('POST', `/api/schedules/${granted}/portal_link`);
  assert.equal(refused.status, 403);
});

test('a member who manages schedules gets the customer’s link one by one, and the trail says who', async () => {
  const finance = await member('finance');
  const shown = await finance.call('GET', `/api/v1/schedules/${granted}`);
  assert.equal(shown.body.portal_url, undefined);
  const link = await finance.call('POST', `/api/schedules/${granted}/portal_link`);
  assert.deepEqual(link.body, { url: (await read(granted)).portal_url });
  const none = await finance.call('POST', `/api/schedules/${waiting}/portal_link`);
  assert.equal(none.status, 404);
  const open = await finance.call('GET', `/api/schedules/${waiting}/consent`);
  assert.match(JSON.stringify(open.body.link), /\/consent\//);
  const { body } = await finance.call('GET', `/api/schedules/${granted}/timeline`);
  const [last] = body.data as { title: string; actor: { name: string } }[];
  assert.equal(last?.title, 'The link to the customer’s page was copied');
  assert.equal(last?.actor.name, 'finance');
});
