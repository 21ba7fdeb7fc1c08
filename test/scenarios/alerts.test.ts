// Slow: waits for Prometheus by the clock of the machine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dashboardPanels } from '../../server/test-support/grafana.ts';
import { operatorOf } from '../../server/test-support/operator.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import {
  HAS_PROMETHEUS,
  type Prometheus,
  startPrometheus,
} from '../../server/test-support/prometheus.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule, newSchedule } from './acts.ts';

const RULES = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url));
const AT_HARBOUR = 4;

if (HAS_PROMETHEUS) runWithFaults();
else
  test('the alerts are checked by name only: apt-get install prometheus also runs them', () => {
    assert.ok(!HAS_PROMETHEUS);
  });

/** A bank goes away, another leaves an order unanswered, webhooks fail, money is short, and the books are falsified. */
function runWithFaults(): void {
  let service: TestService;
  let prometheus: Prometheus;
  before(async () => {
    service = await startTestService();
    await grantedSchedule(service, 'una');
    for (const name of ['alex', 'cleo', 'cleo']) await grantedSchedule(service, name);
    for (let count = 0; count < AT_HARBOUR; count++) {
      const { id } = await newSchedule(service, {
        customer: { type: 'phone', value: `+44770090020${count}` },
      });
      await service.grant(id, 'alex', 'harbour');
    }
    await service.advance('P1D');
    await operatorOf(service, 'Kim Ash'); // a panel shows when her key ends
    prometheus = await startPrometheus([service.running.operatorUrl], RULES);
  });
  after(async () => {
    await prometheus?.close();
    await service?.close();
  });

  test('while all is well, the one alert is that this process leaves the engine to the test', async () => {
    assert.deepEqual(await prometheus.alerts(), ['RecollectNoEngine']);
  });

  test('a bank that is away and an order without an answer each alert', async () => {
    await service.api('PUT', '/sandbox/banks/harbour', { behaviours: ['unavailable'] });
    await service.api('PUT', '/sandbox/issuer', { modes: ['short_pay_ins'] });
    service.receiver.always = 500;
    await service.advance('2026-02-01T11:00:00Z');
    await prometheus.waitFor(['RecollectBankUnavailable', 'RecollectOutcomeUnknown']);
  });

  test('books that contradict a law, money without a place for days and webhooks that fail alert', async () => {
    await asOwner(service.db, (tx) =>
      tx.run(
        "UPDATE accounts SET balance_pence = balance_pence + 1 WHERE kind = 'merchant_wallet'",
      ),
    );
    await service.advance('P4D');
    await prometheus.waitFor([
      'RecollectErrorsLogged',
      'RecollectInvariantBroken',
      'RecollectUnallocatedMoney',
      'RecollectWebhooksFailing',
    ]);
  });

  test('every panel of the dashboard can be evaluated, and shows what there is', async () => {
    const empty: string[] = [];
    for (const { title, expr } of dashboardPanels())
      if ((await prometheus.countSeries(expr)) === 0) empty.push(title);
    assert.deepEqual(empty, []);
  });
}
