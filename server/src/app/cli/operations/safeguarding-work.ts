import { createWriteStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { operatorActor } from '../../../platform/state/actor.ts';
import { formatInstant, parseInstant } from '../../../platform/time/calendar.ts';
import { isAfter } from '../../../platform/values/instants.ts';
import { makePack, recordPack } from '../../../safeguarding/pack/pack.ts';
import { actingOnHost } from '../session/host.ts';
import { withPlatform } from '../session/offline.ts';

/** Only the owner may read what names customers. */
const PRIVATE = 0o600;

function checkFolder(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || readdirSync(folder).length > 0)
    throw new ConfigError(`--out must be a folder that is there and empty, and ${folder} is not`);
}

function readMoment(text: string, now: Temporal.Instant): Temporal.Instant {
  const at = parseInstant(text);
  if (at === null || isAfter(at, now))
    throw new ConfigError(
      `--as-of must be a time that has come, such as 2026-11-30T00:00:00Z, and ${text} is not`,
    );
  return at;
}

/** `safeguarding pack`: writes the files of the pack, and returns a line for each. Throws ConfigError for a wrong option. */
export function packCommand(config: Config, folder: string, asOf?: string): Promise<string[]> {
  checkFolder(folder);
  return withPlatform(config, async (platform) => {
    const now = platform.clock.now();
    const at = asOf === undefined ? now : readMoment(asOf, now);
    const lines: string[] = [];
    await platform.db.snapshot(async (tx) => {
      for await (const { name, content } of makePack(platform, tx, { asOf: at, now })) {
        await pipeline(
          content,
          createWriteStream(join(folder, name), { mode: PRIVATE, flags: 'wx' }),
        );
        lines.push(`${name}  ${statSync(join(folder, name)).size} bytes`);
      }
    });
    await platform.db.transaction((tx) => recordPack(tx, now, at), {
      actor: operatorActor(actingOnHost(config).name),
    });
    return [...lines, `the pack as of ${formatInstant(at)}; sha256sum -c SHA256SUMS checks it`];
  });
}
