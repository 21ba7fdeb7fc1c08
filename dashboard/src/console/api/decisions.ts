import type { List } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  DecisionView,
  FullDecisionView,
} from '../../../../server/src/operators/decisions/view.ts';
import { useList } from '../../api/list-query.ts';
import { admin } from './client.ts';

/** Something that waits for an operator. */
export type Decision = DecisionView;
/** The same, with the evidence at hand. */
export type FullDecision = FullDecisionView;
/** What an operator does about it. */
export type Act = Decision['acts'][number];
/** A decision in a list: `id` names it among all kinds, as its page's address does. */
export type ListedDecision = Decision & { of: string };

/** Something new shows while the page is open. */
const EVERY_MS = 60_000;

/** Returns what names a decision below `/decisions`. */
const pathOf = ({ kind, id }: Pick<Decision, 'kind' | 'id'>): string =>
  `${kind}/${encodeURIComponent(id)}`;

interface Filter {
  q?: string;
  kind?: string;
  sort?: string;
}

const named = (filter: Filter) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

export function useDecisions(filter: Filter, limit?: number) {
  const fetchPage = async (part: { limit: number; after: string }) => {
    const page = await admin.get<List<Decision>>('/decisions', { ...part, ...named(filter) });
    const data = page.data.map((one) => ({ ...one, id: pathOf(one), of: one.id }));
    return { ...page, data };
  };
  return useList<ListedDecision>(['decisions', filter, limit], fetchPage, {
    refetchInterval: EVERY_MS,
    ...(limit === undefined ? {} : { limit }),
  });
}

/** How many decisions wait, and how much money. */
export function useDecisionTotals(filter: Filter = {}) {
  return useQuery({
    queryKey: ['decisions', 'totals', filter],
    queryFn: () =>
      admin.get<List<Decision>>('/decisions', {
        limit: 1,
        sum: 'true',
        ...named({ ...filter, sort: '' }),
      }),
    refetchInterval: EVERY_MS,
  });
}

export function useDecision(kind: string, id: string) {
  return useQuery({
    queryKey: ['decisions', kind, id],
    queryFn: () =>
      admin.get<FullDecision>(`/decisions/${pathOf({ kind: kind as Decision['kind'], id })}`),
  });
}

/** What an operator enters with an act: '' where nothing was entered. */
export interface ActDetails {
  reason: string;
  evidence: string;
  payment_id: string;
  is_silent: boolean;
}

/** Returns the endpoint of an act, below `/admin/v1`, and its body. */
function callOf({ kind, id }: Pick<Decision, 'kind' | 'id'>, act: Act, details: ActDetails) {
  const { reason } = details;
  const evidence = details.evidence === '' ? {} : { evidence: details.evidence };
  const payment = details.payment_id === '' ? {} : { payment_id: details.payment_id };
  const at = encodeURIComponent(id);
  switch (act) {
    case 'allocate':
    case 'accept':
    case 'pay_on':
      return [`/unallocated/${at}/${act}`, { reason, ...payment }] as const;
    case 'return':
    case 'credit':
      return [`/unallocated/${at}/${act}`, { reason }] as const;
    case 'fail': {
      const silent = details.is_silent ? { bank_is_silent: true } : {};
      return [`/payments/${at}/fail`, { reason, ...evidence, ...silent }] as const;
    }
    case 'confirm':
    case 'ask':
      return [`/settlements/${at}/${act}`, { reason }] as const;
    case 'done':
    case 'not_done': {
      const noun = `${kind.replace('_', ' ')}s`;
      return [`/overdue/${at}/end`, { noun, outcome: act, reason, ...evidence }] as const;
    }
    case 'agree':
    case 'take_back':
      return [`/requests/${at}/${act}`, { reason }] as const;
    case 'resolve':
      return ['/reconciliation/differences/resolve', { item: id, resolution: reason }] as const;
    case 'trust':
      return [`/banks/${at}/trust`, { reason }] as const;
  }
}

/** Does what an operator decided. Resolves to whether a second operator has to agree. */
export function useAct(decision: Pick<Decision, 'kind' | 'id'>, act: Act) {
  return useMutation({
    mutationFn: async (details: ActDetails) => {
      const [path, body] = callOf(decision, act, details);
      const said = await admin.post<{ waits_for_second?: boolean }>(path, body);
      return said.waits_for_second === true;
    },
  });
}
