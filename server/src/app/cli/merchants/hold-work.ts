import {
  type Changed,
  holdEverything,
  releaseEverything,
} from '../../../operators/holds/service.ts';
import type { Config } from '../../../platform/config/config.ts';
import { listBanksCommand } from '../operations/operations-work.ts';
import { change } from '../session/offline.ts';
import { operatorOf } from '../session/operator.ts';
import type { CommandResult } from '../session/output.ts';

/** `hold everything`. Says which banks and how many merchants are held by it. */
export async function holdEverythingCommand(
  config: Config,
  reason: string,
): Promise<CommandResult> {
  const known = (await listBanksCommand(config)).map((bank) => bank.bank_id);
  const held = await change(config, (work) =>
    holdEverything(work, { by: operatorOf(config), reason }, known),
  );
  return describeChange(held, 'stopped', 'held', 'everything is held already');
}

/** `release everything`. Says which banks and how many merchants go on. */
export async function releaseEverythingCommand(
  config: Config,
  heldFor: string,
  reason: string,
): Promise<CommandResult> {
  const released = await change(config, (work) =>
    releaseEverything(work, { by: operatorOf(config), reason }, heldFor),
  );
  return describeChange(
    released,
    'resumed',
    'released',
    `nothing is held for the reason "${heldFor}"`,
  );
}

function describeChange(
  { bankIds, merchantIds }: Changed,
  banksAre: string,
  payOutsAre: string,
  nothing: string,
): CommandResult {
  if (bankIds.length + merchantIds.length === 0) return { line: nothing, isDone: false };
  const banks = bankIds.length === 0 ? 'no bank' : bankIds.join(', ');
  const of = `${merchantIds.length} ${merchantIds.length === 1 ? 'merchant' : 'merchants'}`;
  return { line: `${banks} ${banksAre}; pay-outs of ${of} ${payOutsAre}`, isDone: true };
}
