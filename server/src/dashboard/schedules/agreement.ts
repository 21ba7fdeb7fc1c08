import type { FastifyInstance } from 'fastify';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound } from '../../platform/values/errors.ts';
import { agreementFile } from '../../portal/agreement-paper.ts';
import { requireSchedule } from '../../schedules/change/service.ts';
import { addFile, sendFile } from '../export.ts';

/** Adds what a schedule's customer agreed to as PDF, at the address of the schedule's consent with `/pdf`. */
export function addAgreement(
  app: FastifyInstance,
  { platform, bankName }: { platform: Platform; bankName(bankId: string): string },
  route: Route,
  onRequest: Guard[],
): void {
  addFile(app, platform, { route, ending: 'pdf', onRequest }, async ({ caller, inputs, reply }) => {
    const { merchantId } = caller;
    const { id } = inputs.params as { id: string };
    const now = platform.clock.now();
    const { name, bytes } = await platform.db.forMerchant(
      merchantId,
      async (tx) => {
        const { consentId } = await requireSchedule(tx, merchantId, id);
        if (consentId === null) throw notFound('consent');
        return agreementFile({ platform, bankName }, { tx, now, merchantId }, consentId);
      },
      { onlyReads: true },
    );
    return sendFile(reply, name, 'application/pdf', bytes);
  });
}
