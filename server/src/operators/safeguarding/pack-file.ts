import type { FastifyInstance } from 'fastify';
import { Zip, ZipDeflate } from 'fflate';
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
import { makePack, type PackFile, recordPack } from '../../safeguarding/pack/pack.ts';
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
      // Made whole before it is sent: a slow reader must not hold a snapshot open. It is held compressed.
      const pieces = await platform.db.snapshot((tx) =>
        Array.fromAsync(zipped(makePack(platform, tx, { asOf, now }), now)),
      );
      const name = `resolution-pack-${asOf.toString().slice(0, 10)}.zip`;
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${name}"`,
        })
        .type('application/zip')
        .send(Buffer.concat(pieces));
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

/** Compresses files piece by piece, so that other requests go on between the pieces. */
async function* zipped(
  files: AsyncIterable<PackFile>,
  now: Temporal.Instant,
): AsyncIterable<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  const taken = (): Uint8Array[] => {
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for await (const { name, content } of files) {
    const entry = new ZipDeflate(name);
    entry.mtime = now.epochMilliseconds;
    zip.add(entry);
    for await (const piece of content) {
      entry.push(Buffer.from(piece));
      yield* taken();
    }
    entry.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
