import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { CaseFile as Contents } from '../../server/src/disputes/case-file/gather.ts';
import type { DisputeView } from '../../server/src/disputes/view.ts';
import { createKey } from '../../server/src/merchants/keys/key-service.ts';
import { ROLES, type Role } from '../../server/src/merchants/role.ts';
import type { Scope } from '../../server/src/platform/http/calls/access.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { textIn } from '../../server/test-support/zip.ts';
import { grantedSchedule, paymentOf } from './acts.ts';
import { signIn } from './signed-in.ts';

const VERIFIER = new URL('../../clients/verify-case-file/verify-case-file.mjs', import.meta.url)
  .pathname;

let service: TestService;
let folder: string;
let dispute: DisputeView;
let zip: Buffer;

before(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'case-file-'));
  const { id } = await grantedSchedule(service, 'alex', {
    frequency: { type: 'weekly' },
    start_date: '2026-01-06T09:00:00Z',
    description: 'Judo for Zoë',
  });
  await service.advance('2026-01-06T12:00:00Z');
  const payment = await paymentOf(service, id);
  const opened = await service.api<DisputeView>('POST', `/api/v1/payments/${payment.id}/disputes`, {
    reason: 'unauthorised',
    note: 'Not me',
  });
  dispute = opened.body;
  await service.api('POST', `/api/v1/disputes/${dispute.id}/refund`);
  await service.advance('PT5M');
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
  zip = await take();
});
after(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

interface CaseFile {
  name: string;
  media_type: string;
  sha256: string;
  content: string;
}

async function take(): Promise<Buffer> {
  const { status, body } = await service.api<CaseFile>(
    'GET',
    `/api/v1/disputes/${dispute.id}/file`,
  );
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
  assert.equal(body.name, `case-file-${dispute.id}.zip`);
  return Buffer.from(body.content, 'base64');
}

const contentsOf = (bytes: Buffer): Contents => JSON.parse(textIn(bytes, 'case.json')) as Contents;

/** Runs the verifier as an auditor does: as a program of its own, with the keys that the service publishes. */
async function verify(bytes: Buffer): Promise<{ status: number; said: string }> {
  const keys = await fetch(`${service.baseUrl}/.well-known/case-file-keys.json`);
  const paths = [join(folder, 'case.zip'), join(folder, 'keys.json')] as const;
  await writeFile(paths[0], bytes);
  await writeFile(paths[1], Buffer.from(await keys.arrayBuffer()));
  const run = promisify(execFile)(process.execPath, [VERIFIER, paths[0], '--keys', paths[1]]);
  return run.then(
    ({ stdout }) => ({ status: 0, said: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ status: code, said: stdout }),
  );
}

test('a case file has what was agreed, authenticated, ordered, answered, notified, booked and withdrawn', () => {
  const file = contentsOf(zip);
  assert.deepEqual(
    [file.dispute.id, file.dispute.status, file.dispute.note],
    [dispute.id, 'refunded', 'Not me'],
  );
  assert.equal(file.schedule.description, 'Judo for Zoë');
  assert.deepEqual(
    file.terms.map(({ version, in_words: words }) => [version, words[0]]),
    [[1, '£49.99 every week on Tuesday']],
  );
  const [consent] = file.consents;
  assert.equal(consent?.terms_version, 1);
  assert.match(consent?.bank?.name ?? '', /Northbank/);
  assert.ok(consent?.granted_at !== null && consent?.bank_consent_id);
  assert.ok(consent?.limits?.in_words.some((words) => words.startsWith('Up to £49.99')));
  const states = file.changes.filter(({ about }) => about === consent?.id).map(({ to }) => to);
  assert.deepEqual(states, ['pending', 'authorising', 'authorised', 'granted', 'revoked']);
  const [order] = file.orders;
  assert.deepEqual(
    [order?.sent.length, order?.outcome, order?.instruction_id],
    [1, 'success', `${file.payment.id}-a1`],
  );
  assert.ok(order?.answer.bank_payment_id && order.answer.bank_status && order.pay_in?.id);
  assert.ok(file.events.some(({ kind }) => kind === 'collection.success'));
  assert.deepEqual(file.ledger.map(({ kind }) => kind).sort(), [
    'move',
    'pay_in',
    'refund',
    'refund_out',
  ]);
  assert.deepEqual(
    file.refunds.map(({ status }) => status),
    ['success'],
  );
  assert.deepEqual(file.withdrawals.map(({ to }) => to).sort(), ['cancelled', 'revoked']);
  assert.match(textIn(zip, 'case.pdf', 'latin1'), /^%PDF-1\.7/);
});

test('a case file has what the banks say now, each answer with the signature and key that prove it', async () => {
  const { bank_answers: answers, orders, consents } = contentsOf(zip);
  assert.deepEqual(
    answers.map(({ kind, about, bank, problem }) => [kind, about, bank.id, problem]),
    [
      ['consent', consents[0]?.id, 'northbank', null],
      ['payment', orders[0]?.instruction_id, 'northbank', null],
    ],
  );
  const { Data } = JSON.parse(answers[1]?.message?.body ?? '');
  assert.equal(Data.DomesticVRPId, orders[0]?.answer.bank_payment_id);
  assert.equal(Data.Instruction.InstructionIdentification, orders[0]?.instruction_id);
  const { status, said } = await verify(zip);
  assert.equal(status, 0);
  assert.match(said, /^Northbank signed its answer about consent con_\w+: key \S+, of https:/m);
  assert.match(said, /^Northbank signed its answer about payment pay_\w+-a1: key \S+, of https:/m);
});

test('a case file of a bank that does not answer says so', async () => {
  const behave = (behaviours: string[]) =>
    service.api('PUT', '/sandbox/banks/northbank', { behaviours });
  await behave(['unavailable']);
  const { bank_answers: answers } = contentsOf(await take());
  await behave([]);
  assert.deepEqual(
    answers.map(({ problem, message }) => [problem, message]),
    [
      ['no_answer', null],
      ['no_answer', null],
    ],
  );
});

test('who took a case file is in the audit trail', async () => {
  const taken = contentsOf(await take()).changes.filter(({ to }) => to === 'exported');
  assert.deepEqual(
    taken.map(({ about, reason, by }) => [about, reason, by.split(':')[0]]),
    [
      [dispute.id, 'case file', 'api_key'],
      [dispute.id, 'case file', 'api_key'],
      [dispute.id, 'case file', 'api_key'],
    ],
  );
});

test('the verifier passes a whole case file, and names one changed byte of it', async () => {
  const whole = await verify(zip);
  assert.deepEqual([whole.status, whole.said.split(':')[0]], [0, 'Verified']);
  const amount = zip.indexOf('"value": 4999', zip.indexOf('case.json'));
  const changed = Buffer.from(zip);
  changed.write('5', amount + '"value": '.length);
  const { status, said } = await verify(changed);
  assert.equal(status, 1);
  assert.match(said, /^case\.json: changed between bytes \d+ and \d+ \(lines \d+ to \d+\)\n$/);
});

test('another merchant’s dispute has no file', async () => {
  const { status } = await service.api('GET', '/api/v1/disputes/dsp_032atfSALfDo4duUde5x6C/file');
  assert.equal(status, 404);
});

test('of an erased customer no bank is asked, because its answer names the account that paid', async () => {
  const { customer } = contentsOf(zip);
  // Another collection, with which the refund is netted.
  const { id } = await grantedSchedule(service, 'alex', { frequency: { type: 'weekly' } });
  await service.advance('P8D');
  await service.api('PUT', `/api/v1/schedules/${id}`, { status: 'cancelled' });
  await service.advance('P6D');
  const erased = await service.api('POST', `/api/v1/customers/${customer.id}/erase`, {
    reason: 'asked by letter',
    metadata: true,
  });
  assert.equal(erased.status, 200, JSON.stringify(erased.body));
  const file = contentsOf(await take());
  assert.equal(file.customer.name, null);
  assert.deepEqual(file.bank_answers, []);
});

test('it names an account in full, so that only who may refund takes it, with a key that may read customers', async () => {
  const { platform } = service.running;
  const withKey = async (...scopes: Scope[]): Promise<{ status: number; said: string }> => {
    const { secret } = await platform.db.transaction((tx) => {
      const asked = { tx, now: platform.clock.now(), merchantId: service.merchantId };
      const grant = { scopes, madeBy: null, allowedIps: null };
      return createKey(platform, asked, scopes.join(), 'made for a test', grant);
    });
    const headers = { authorization: `Bearer ${secret}` };
    const path = `/api/v1/disputes/${dispute.id}/file`;
    const { status, body } = await service.api<object>('GET', path, undefined, headers);
    return { status, said: JSON.stringify(body) };
  };
  assert.equal((await withKey('payments', 'customers')).status, 200);
  const refused = await withKey('payments');
  assert.equal(refused.status, 403);
  assert.match(refused.said, /does not have the scope \\"customers\\"/);
  assert.equal((await withKey('customers')).status, 403);
  const asMember = async (role: Role): Promise<number> => {
    const email = `${role}@fernhill.example`;
    const { cookie } = await signIn(service, service.merchantId, role, email);
    const file = `${service.baseUrl}/dashboard/api/v1/disputes/${dispute.id}/file/zip`;
    const response = await fetch(`${file}?merchant=${service.merchantId}`, { headers: { cookie } });
    await response.arrayBuffer();
    return response.status;
  };
  assert.deepEqual(await Promise.all(ROLES.map(asMember)), [200, 403, 200, 403], ROLES.join());
});
