import type { FastifyInstance } from 'fastify';
import { type CaseFileDeps, takeCaseFile } from '../../disputes/case-file/service.ts';
import { asActor } from '../../platform/db/db.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { addFile, sendFile } from '../export.ts';

/** Adds the case file of a dispute as a download, at the address of the API's with `/zip`. */
export function addCaseFile(
  app: FastifyInstance,
  platform: Platform,
  deps: CaseFileDeps,
  route: Route,
  onRequest: Guard[],
): void {
  addFile(app, platform, { route, ending: 'zip', onRequest }, async ({ caller, inputs, reply }) => {
    const { merchantId, actorId } = caller;
    const { id } = inputs.params as { id: string };
    const db = asActor(platform.db, actorOf(actorId));
    const { name, bytes } = await takeCaseFile(deps, {
      now: platform.clock.now(),
      merchantId,
      disputeId: id,
      transact: (work) => db.forMerchant(merchantId, work),
    });
    return sendFile(reply, name, 'application/zip', bytes);
  });
}
