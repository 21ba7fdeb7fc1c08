import type { Work } from '../../platform/platform.ts';
import { takeBackRequestsOf } from './store.ts';

/** Takes back what an operator who is removed has asked for, and what was asked for about them. */
export async function endRequestsOf(
  { tx, now }: Work,
  operatorId: string,
  by: { id: string },
): Promise<void> {
  await takeBackRequestsOf(tx, operatorId, {
    by: by.id,
    at: now,
    reason: 'the operator was removed',
  });
}
