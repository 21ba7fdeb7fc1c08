import {
  createOperator,
  createOperatorKey,
  removeOperator,
  revokeOperatorKey,
  setEmail,
} from '../../operators/access/service.ts';
import { listOperators } from '../../operators/access/store.ts';
import { viewNewKey, viewOperator, viewOperatorKey } from '../../operators/access/view.ts';
import { setHold } from '../../operators/merchants/service.ts';
import type { Config } from '../../platform/config.ts';
import { change, withPlatform } from './offline.ts';
import { operatorOf } from './operator.ts';
import type { Said } from './output.ts';

const MOST_LISTED = 1000;

const HOLDS = {
  suspend: {
    kind: 'suspended',
    isHeld: true,
    done: 'is suspended: no new schedules, no payment orders',
    already: 'is already suspended',
  },
  resume: {
    kind: 'suspended',
    isHeld: false,
    done: 'is resumed; what waited is due now',
    already: 'is not suspended',
  },
  hold: {
    kind: 'pay_outs',
    isHeld: true,
    done: 'has its pay-outs held; the money stays',
    already: 'has its pay-outs held already',
  },
  release: {
    kind: 'pay_outs',
    isHeld: false,
    done: 'has its pay-outs released',
    already: 'has no pay-outs held',
  },
} as const;

/** `merchant suspend`, `resume`, `hold` and `release`. Throws 404 `not_found`. */
export async function holdCommand(
  config: Config,
  merchantId: string,
  name: keyof typeof HOLDS,
  reason: string,
): Promise<Said> {
  const { kind, isHeld, done, already } = HOLDS[name];
  const word = { by: operatorOf(config), reason, isHeld };
  const isDone = await change(config, ({ platform, tx, now }) =>
    setHold(platform, { tx, now, merchantId }, kind, word),
  );
  return { line: `${merchantId} ${isDone ? done : already}`, isDone };
}

/** `operator create`. Throws 400 `invalid_request`. */
export async function createOperatorCommand(
  config: Config,
  name: string,
  email: string | undefined,
): Promise<object> {
  return viewNewKey(
    await change(config, (work) =>
      createOperator(work, name, operatorOf(config), { email: email ?? null }),
    ),
  );
}

/** `operator email`. Throws 400 `invalid_request`, 404 `not_found`. */
export async function setOperatorEmailCommand(
  config: Config,
  who: string,
  email: string | undefined,
): Promise<object> {
  return viewOperator(await change(config, (work) => setEmail(work, who, email ?? null)));
}

/** `operator list`. */
export async function listOperatorsCommand(config: Config): Promise<object[]> {
  const { operators } = await withPlatform(config, ({ db }) =>
    db.read((tx) => listOperators(tx, MOST_LISTED, 0)),
  );
  return operators.map(viewOperator);
}

/** `operator remove`. Throws 404 `not_found`. */
export async function removeOperatorCommand(config: Config, who: string): Promise<object> {
  return viewOperator(
    await change(config, (work) => removeOperator(work, who, operatorOf(config))),
  );
}

/** `operator key`. Throws 404 `not_found`. */
export async function createOperatorKeyCommand(
  config: Config,
  who: string,
  name: string,
): Promise<object> {
  return viewNewKey(await change(config, (work) => createOperatorKey(work, who, name)));
}

/** `operator revoke`. Throws 404 `not_found`. */
export async function revokeOperatorKeyCommand(
  config: Config,
  who: string,
  keyId: string,
): Promise<object> {
  return viewOperatorKey(await change(config, (work) => revokeOperatorKey(work, who, keyId)));
}
