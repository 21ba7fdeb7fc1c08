import type { FastifyInstance } from 'fastify';
import type { BankDeps } from '../bank.ts';
import type { Fault, PlannedFault } from '../behaviour/faults.ts';
import { isQuirk } from '../behaviour/quirks.ts';
import { quirksOf, setQuirks } from '../books/quirks-in-force.ts';
import { CALLS } from '../vrp/back-channel.ts';

/** Registers the control endpoints for whole banks: their behaviour, and the faults of their next calls. */
export function registerBankControl(control: FastifyInstance, deps: BankDeps): void {
  const view = (bankId: string) => {
    const brand = deps.banks.get(bankId)?.brand;
    if (!brand) return null;
    return {
      bank_id: bankId,
      name: brand.name,
      behaviours: [...quirksOf(deps.store, brand)],
      next_calls: deps.faults.planned(bankId),
    };
  };
  control.get('/sandbox/banks', async () => ({ banks: [...deps.banks.keys()].map(view) }));
  control.put<{ Params: { bank: string } }>('/sandbox/banks/:bank', async (request, reply) => {
    const bank = deps.banks.get(request.params.bank);
    if (!bank) return reply.code(404).send({ error: `No bank ${request.params.bank}` });
    const body = (request.body ?? {}) as { behaviours?: unknown; next_calls?: unknown };
    const { behaviours, next_calls: nextCalls } = body;
    if (behaviours !== undefined && !isListOf(behaviours, isQuirk)) {
      return reply.code(400).send({ error: 'behaviours is a list of known behaviours of banks' });
    }
    const planned = nextCalls === undefined ? undefined : plannedOf(nextCalls);
    if (planned === null) return reply.code(400).send({ error: NEXT_CALLS });
    if (behaviours !== undefined) setQuirks(deps.store, bank.brand, behaviours);
    if (planned !== undefined) deps.faults.plan(bank.brand.bankId, planned);
    return view(bank.brand.bankId);
  });
}

const NEXT_CALLS =
  `next_calls is a list of {call, fault, times}: call is one of ${CALLS.join(', ')}; ` +
  'fault is a status from 400 to 599, lost_request or lost_answer; times is 1 or more (default 1)';

function plannedOf(value: unknown): PlannedFault[] | null {
  if (!Array.isArray(value)) return null;
  const planned = value.map((one) => ({ times: 1, ...(one as object) }));
  return isListOf(planned, isPlanned) ? planned : null;
}

function isPlanned(value: unknown): value is PlannedFault {
  const { call, fault, times } = value as PlannedFault;
  return CALLS.includes(call) && isFault(fault) && Number.isSafeInteger(times) && times > 0;
}

function isFault(value: unknown): value is Fault {
  if (value === 'lost_request' || value === 'lost_answer') return true;
  return Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600;
}

function isListOf<T>(value: unknown, is: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}
