import type { OperatorRole } from '../../../operators/access/books/roles.ts';
import { type NewOperatorKey, revokeOperatorKey } from '../../../operators/access/keys.ts';
import { lockPresent } from '../../../operators/access/present.ts';
import { seeOperator } from '../../../operators/access/see.ts';
import {
  createOperator,
  isBeginning,
  makeKeyAtBeginning,
} from '../../../operators/access/service.ts';
import { viewNewKey, viewOperatorKey } from '../../../operators/access/view.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Work } from '../../../platform/platform.ts';
import { ApiError } from '../../../platform/values/errors.ts';
import { actingOnHost, loginOf } from '../session/host.ts';
import { change } from '../session/offline.ts';

/** Options of `operator create`. */
export interface FirstOptions {
  email?: string;
  roles?: OperatorRole[];
}

/** `operator create`. Throws 400 `invalid_request`, 409 `operation_refused` once two operators can agree. */
export function createOperatorCommand(
  config: Config,
  name: string,
  options: FirstOptions,
): Promise<object> {
  return change(config, async (work) => {
    await requireBeginning(work, 'recollect operator invite');
    return view(work, await createOperator(work, name.trim(), loginOf(config), options));
  });
}

/** `operator key`. Throws 404 `not_found`, 409 `operation_refused` once two operators can agree. */
export function createOperatorKeyCommand(
  config: Config,
  who: string,
  name: string,
): Promise<object> {
  return change(config, async (work) => {
    const { operatorId } = await lockPresent(work.tx, who);
    await requireBeginning(work, 'recollect operator send-key');
    return view(work, await makeKeyAtBeginning(work, actingOnHost(config), operatorId, name));
  });
}

async function requireBeginning(work: Work, command: string): Promise<void> {
  if (!(await isBeginning(work)))
    throw new ApiError(
      'operation_refused',
      `Two operators can agree on it: ${command} asks for it.`,
    );
}

async function view({ tx }: Work, made: NewOperatorKey): Promise<object> {
  return viewNewKey({ ...made, operator: await seeOperator(tx, made.operator) });
}

/** `operator shut-out`. Throws 404 `not_found`. */
export async function shutOutCommand(config: Config, who: string, keyId: string): Promise<object> {
  return viewOperatorKey(
    await change(config, (work) => revokeOperatorKey(work, actingOnHost(config), who, keyId)),
  );
}
