import { inputsOf } from '../../platform/http/calls/inputs.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import { invalid } from '../../platform/values/errors.ts';
import { canonicalJson } from '../../platform/values/normal.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { ActInputs } from '../acts/money-act.ts';
import type { PreparedAct } from './act.ts';

const context = ({ merchantId, actId }: Pick<PreparedAct, 'merchantId' | 'actId'>): string =>
  `prepared_act:${merchantId}:${actId}`;

/** Seals what an act is asked with: it may hold a customer's name and account. */
export const sealInputs = (
  vault: Vault,
  act: Pick<PreparedAct, 'merchantId' | 'actId'>,
  inputs: ActInputs,
): string => vault.seal(JSON.stringify(inputs), context(act));

/** Opens what an act was asked with. */
export const openInputs = (
  vault: Vault,
  act: Pick<PreparedAct, 'merchantId' | 'actId'>,
  sealed: string,
): ActInputs => JSON.parse(vault.open(sealed, context(act))) as ActInputs;

/** Checks the inputs by the schemas and rules of the act's own endpoint. Throws one 400 that names every wrong field. */
export function checkedInputs(
  route: Route,
  { params, body }: ActInputs,
  now: Temporal.Instant,
): ActInputs {
  const known = new Set([...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  const unknown = Object.keys(params).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw invalid(
      Object.fromEntries(
        unknown.map((name) => [`params.${name}`, 'is none of the path; fields belong into `body`']),
      ),
    );
  return inputsOf(route)({ params, query: {}, body }, now) as unknown as ActInputs;
}

/**
 * Returns what tells acts apart, as blind indexes: `content`, all that it is asked with; `identity`, what is one act however
 * often it is prepared: the same purpose for the same schedule or payment, or without a purpose the same content.
 */
export function marksOf(
  vault: Vault,
  merchantId: string,
  operation: string,
  inputs: ActInputs,
  purpose: string | null,
): Pick<PreparedAct, 'identity' | 'content'> {
  const index = (value: object): Buffer =>
    vault.index(canonicalJson(value), `prepared_act:${merchantId}`);
  const content = index({ operation, params: inputs.params, body: inputs.body });
  const identity =
    purpose === null
      ? content
      : index({ operation, id: inputs.params.id ?? null, due: inputs.params.due_date, purpose });
  return { content, identity };
}
