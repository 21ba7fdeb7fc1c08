import type { FastifyInstance } from 'fastify';
import { type Zippable, zipSync } from 'fflate';
import Type, { type Static } from 'typebox';
import { callerOf } from '../../platform/http/calls/auth.ts';
import { inputsOf, refuseUnstorable } from '../../platform/http/calls/inputs.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { Fields } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { parseInstant } from '../../platform/time/calendar.ts';
import { invalid } from '../../platform/values/errors.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { makePack, recordPack } from '../../safeguarding/pack/pack.ts';
import { ADMIN } from '../admin/route.ts';

const Query = Fields({ as_of: Type.Optional(Type.String({ maxLength: 40 })) });

/** Adds the resolution pack as one archive. Whoever makes it reads every client's name, which is recorded first. */
export function addPackFile(
  app: FastifyInstance,
  platform: Platform,
  onRequest: readonly Guard[],
): void {
  const read = inputsOf({ query: Query });
  app.get(
    `${ADMIN}/safeguarding/pack`,
    { schema: { hide: true }, config: { limitedBy: 'caller' }, onRequest: [...onRequest] },
    async (request, reply) => {
      const now = platform.clock.now();
      const raw = { params: {}, query: request.query as object, body: undefined };
      refuseUnstorable(raw);
      const { as_of: given } = read(raw, now).query as Static<typeof Query>;
      const asOf = readMoment(given, now);
      const actor = operatorActor(callerOf(request).actorId);
      await platform.db.transaction((tx) => recordPack(tx, now, asOf), { actor });
      const files: Zippable = {};
      await platform.db.snapshot(async (tx) => {
        for await (const { name, content } of makePack(platform, tx, { asOf, now })) {
          const pieces = (await Array.fromAsync(content)).map((piece) => Buffer.from(piece));
          files[name] = [Buffer.concat(pieces), { mtime: new Date(now.epochMilliseconds) }];
        }
      });
      const name = `resolution-pack-${asOf.toString().slice(0, 10)}.zip`;
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${name}"`,
        })
        .type('application/zip')
        .send(Buffer.from(zipSync(files)));
    },
  );
}

function readMoment(text: string | undefined, now: Temporal.Instant): Temporal.Instant {
  if (text === undefined) return now;
  const at = parseInstant(text);
  if (at === null || isAfter(at, now))
    throw invalid({ as_of: 'must be a time that has come, such as 2026-11-30T00:00:00Z' });
  return at;
}
