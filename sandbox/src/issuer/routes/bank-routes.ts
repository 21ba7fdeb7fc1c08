import type { FastifyInstance } from 'fastify';
import { isoInstant } from '../../clock.ts';
import { IssuerError } from '../errors.ts';
import { exactly, parseBody, SCHEMAS } from '../http.ts';
import type { Issuer } from '../issuer.ts';
import { type FasterPayment, receivePayment } from '../payins.ts';
import { secretsEqual } from '../signature.ts';

/** Registers the endpoint that the sending bank calls to deliver a Faster Payment. */
export async function bankRoutes(server: FastifyInstance, issuer: Issuer): Promise<void> {
  const { store, clock, deliverer, config } = issuer;
  const expected = `Bearer ${config.faster_payments.secret}`;
  server.addHook('preValidation', async (request) => {
    if (!secretsEqual(request.headers.authorization ?? '', expected)) {
      throw new IssuerError(401, 'unauthorised', 'The bearer token does not match');
    }
    await parseBody(request);
  });
  const body = exactly({
    payment_id: SCHEMAS.shortText,
    end_to_end_id: SCHEMAS.shortText,
    reference: SCHEMAS.reference,
    amount: SCHEMAS.amount,
    creditor: SCHEMAS.bankAccount,
    debtor: SCHEMAS.bankAccount,
  });
  server.post<{ Body: FasterPayment }>(
    '/faster-payments',
    { schema: { body } },
    async (request) => {
      receivePayment(store, request.body, isoInstant(clock.now()));
      deliverer.wake();
      return { accepted: true };
    },
  );
}
