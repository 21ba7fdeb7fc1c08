import { readBanks } from '../../../operators/banks/read.ts';
import {
  type Changed,
  holdEverything,
  releaseEverything,
} from '../../../operators/holds/service.ts';
import type { Config } from '../../../platform/config/config.ts';
import { readBanksFile } from '../../banks-file/banks-file.ts';
import { actingOnHost } from '../session/host.ts';
import { change } from '../session/offline.ts';
import type { CommandResult } from '../session/output.ts';

/** `hold everything`. Says which banks and how many merchants are held by it. */
export async function holdEverythingCommand(
  config: Config,
  reason: string,
): Promise<CommandResult> {
  const held = await change(config, async (work) => {
    const known = await readBanks(work.tx, work.now, configuredBanks(config));
    const bankIds = known.map(({ bankId }) => bankId);
    return holdEverything(work, { by: actingOnHost(config).name, reason }, bankIds);
  });
  return describeChange(held, 'stopped', 'held', 'everything is held already');
}

/** Returns the ids of the connections of the banks' file; none without one. */
function configuredBanks(config: Config): string[] {
  if (config.banksFile === null) return [];
  const { direct, modulr, truelayer } = readBanksFile(config, config.banksFile);
  return [...direct, ...modulr, ...truelayer].map(({ bankId }) => bankId);
}

/** `release everything`. Says which banks and how many merchants go on. */
export async function releaseEverythingCommand(
  config: Config,
  heldFor: string,
  reason: string,
): Promise<CommandResult> {
  const released = await change(config, (work) =>
    releaseEverything(work, { by: actingOnHost(config).name, reason }, heldFor),
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
