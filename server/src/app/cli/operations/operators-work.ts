import { type Changed, changeEmail, changeRoles } from '../../../operators/access/change.ts';
import {
  makeOwnKey,
  type NewOperatorKey,
  revokeOperatorKey,
} from '../../../operators/access/keys.ts';
import { lockPresent } from '../../../operators/access/present.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../../../operators/access/roles.ts';
import { seen, seeOperator } from '../../../operators/access/see.ts';
import {
  createOperator,
  isBeginning,
  makeKeyAtBeginning,
  removeOperator,
} from '../../../operators/access/service.ts';
import { listOperators } from '../../../operators/access/store.ts';
import { viewNewKey, viewOperator, viewOperatorKey } from '../../../operators/access/view.ts';
import { setHold } from '../../../operators/merchants/service.ts';
import { askFor } from '../../../operators/requests/service.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Work } from '../../../platform/platform.ts';
import { change, withPlatform } from '../session/offline.ts';
import { actingOf, operatorOf } from '../session/operator.ts';
import type { CommandResult } from '../session/output.ts';
import { shownRequest } from './requests-work.ts';

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
): Promise<CommandResult> {
  const { kind, isHeld, done, already } = HOLDS[name];
  const isDone = await change(config, ({ platform, tx, now }) =>
    setHold(platform, { tx, now, merchantId }, kind, { by: operatorOf(config), reason, isHeld }),
  );
  return { line: `${merchantId} ${isDone ? done : already}`, isDone };
}

/** Options of `operator create`. */
export interface CreateOptions {
  email?: string;
  roles?: OperatorRole[];
  reason?: string;
}

const DEFAULT_REASON = 'asked for on the command line';

/**
 * `operator create`: makes one of the first operators, whose key is shown; asks for it once two can agree. Throws 400
 * `invalid_request`, 409 `operation_refused`.
 */
export function createOperatorCommand(
  config: Config,
  given: string,
  { email, roles = [...OPERATOR_ROLES], reason = DEFAULT_REASON }: CreateOptions,
): Promise<object> {
  return change(config, async (work) => {
    const name = given.trim();
    if (await isBeginning(work)) {
      const options = { email: email ?? null, roles };
      return view(work, await createOperator(work, name, operatorOf(config), options));
    }
    const wish = { name, roles, email: email ?? null };
    const asking = { kind: 'new_operator', wish, subject: name, reason } as const;
    return shownRequest(await askFor(work, actingOf(config), asking));
  });
}

async function view(work: Work, made: NewOperatorKey): Promise<object> {
  return viewNewKey({ ...made, operator: await seeOperator(work.tx, made.operator) });
}

/** `operator email`. Throws 400 `invalid_request`, 404 `not_found`, 409 `operation_refused`. */
export function setOperatorEmailCommand(
  config: Config,
  who: string,
  email: string | undefined,
): Promise<object> {
  return change(config, async (work) => {
    const wish = { email: email ?? null, reason: DEFAULT_REASON };
    return shown(work, await changeEmail(work, actingOf(config), who, wish));
  });
}

/** `operator roles`. Throws 400 `invalid_request`, 404 `not_found`, 409 `operation_refused`. */
export function setOperatorRolesCommand(
  config: Config,
  who: string,
  roles: OperatorRole[],
  reason: string,
): Promise<object> {
  return change(config, async (work) =>
    shown(work, await changeRoles(work, actingOf(config), who, { roles, reason })),
  );
}

const shown = async (work: Work, { operator, request }: Changed): Promise<object> =>
  request === null ? viewOperator(await seeOperator(work.tx, operator)) : shownRequest(request);

/** `operator list`. */
export function listOperatorsCommand(config: Config): Promise<object[]> {
  return withPlatform(config, ({ db }) =>
    db.read(async (tx) => {
      const { operators } = await listOperators(tx, MOST_LISTED, 0);
      return (await seen(tx, operators)).map(viewOperator);
    }),
  );
}

/** `operator remove`. Throws 404 `not_found`, 409 `operation_refused`. */
export function removeOperatorCommand(config: Config, who: string): Promise<object> {
  return change(config, async (work) =>
    viewOperator(await seeOperator(work.tx, await removeOperator(work, who, actingOf(config)))),
  );
}

/**
 * `operator key`: with an operator's key, another one of their own. Else a new first key of an operator: shown
 * while fewer than two could agree, asked for otherwise. Throws 404 `not_found`, 409 `operation_refused`.
 */
export function createOperatorKeyCommand(
  config: Config,
  who: string,
  { name, reason = DEFAULT_REASON }: { name: string; reason?: string },
): Promise<object> {
  return change(config, async (work) => {
    const acting = actingOf(config);
    const { operatorId: subject } = await lockPresent(work.tx, who);
    if (acting.id === subject) return view(work, await makeOwnKey(work, acting, subject, { name }));
    if (await isBeginning(work))
      return view(work, await makeKeyAtBeginning(work, acting, subject, name));
    const asking = { kind: 'operator_key', wish: {}, subject, reason } as const;
    return shownRequest(await askFor(work, acting, asking));
  });
}

/** `operator revoke`. Throws 404 `not_found`. */
export async function revokeOperatorKeyCommand(
  config: Config,
  who: string,
  keyId: string,
): Promise<object> {
  return viewOperatorKey(
    await change(config, (work) => revokeOperatorKey(work, actingOf(config), who, keyId)),
  );
}
