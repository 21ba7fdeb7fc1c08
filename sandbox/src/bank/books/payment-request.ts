import { isDeepStrictEqual } from 'node:util';
import { type Json, objectAt, textAt } from '../wire/fields.ts';
import { refused } from '../wire/problem.ts';
import { amountAt, type ConsentRequest, checkAccount, type UkAccount } from './consent-request.ts';

/** The body of POST /domestic-vrps, after validation. Members not named here are kept as sent. */
export interface PaymentRequest {
  Data: {
    ConsentId: string;
    PSUAuthenticationMethod: string;
    PSUInteractionType?: string;
    VRPType: string;
    Initiation: Json;
    Instruction: Instruction;
  };
  Risk: Json;
}

export interface Instruction extends Json {
  InstructionIdentification: string;
  EndToEndIdentification: string;
  InstructedAmount: Json;
  CreditorAccount: UkAccount;
  RemittanceInformation?: Json;
}

const INSTRUCTION = 'Data.Instruction';

/** Checks the shape of a payment request; throws ApiProblem with the first defect. */
export function checkPaymentRequest(body: Json): { request: PaymentRequest; amountPence: number } {
  const data = objectAt(body, 'Data', 'Data');
  objectAt(body, 'Risk', 'Risk');
  textAt(data, 'ConsentId', 'Data.ConsentId', 128);
  textAt(data, 'PSUAuthenticationMethod', 'Data.PSUAuthenticationMethod');
  textAt(data, 'VRPType', 'Data.VRPType');
  objectAt(data, 'Initiation', 'Data.Initiation');
  const instruction = objectAt(data, 'Instruction', INSTRUCTION);
  for (const name of ['InstructionIdentification', 'EndToEndIdentification']) {
    textAt(instruction, name, `${INSTRUCTION}.${name}`, 35);
  }
  checkAccount(instruction, 'CreditorAccount', `${INSTRUCTION}.CreditorAccount`);
  const local = instruction.LocalInstrument;
  if (local !== undefined && local !== 'UK.OBIE.FPS') {
    throw refused('U026', 'Only UK.OBIE.FPS is supported', `${INSTRUCTION}.LocalInstrument`);
  }
  const amountPath = `${INSTRUCTION}.InstructedAmount`;
  const amountPence = amountAt(objectAt(instruction, 'InstructedAmount', amountPath), amountPath);
  return { request: body as unknown as PaymentRequest, amountPence };
}

/** Throws U008 if a payment differs from its consent. */
export function checkAgainstConsent(request: PaymentRequest, consent: ConsentRequest): void {
  const { Initiation, Instruction, PSUAuthenticationMethod, PSUInteractionType, VRPType } =
    request.Data;
  const parameters = consent.Data.ControlParameters;
  const interactions = (parameters.PSUInteractionTypes as string[]) ?? ['OffSession'];
  const fixed = consent.Data.Initiation;
  const agreed: [string, boolean][] = [
    ['Data.Initiation', isDeepStrictEqual(Initiation, fixed)],
    ['Risk', isDeepStrictEqual(request.Risk, consent.Risk)],
    ['Data.VRPType', (parameters.VRPType as string[]).includes(VRPType)],
    [
      'Data.PSUAuthenticationMethod',
      (parameters.PSUAuthenticationMethods as string[]).includes(PSUAuthenticationMethod),
    ],
    [
      'Data.PSUInteractionType',
      PSUInteractionType === undefined || interactions.includes(PSUInteractionType),
    ],
    [
      `${INSTRUCTION}.CreditorAccount`,
      isDeepStrictEqual(Instruction.CreditorAccount, fixed.CreditorAccount),
    ],
    [
      `${INSTRUCTION}.RemittanceInformation`,
      !referenceIn(fixed.RemittanceInformation) ||
        Instruction.RemittanceInformation === undefined ||
        referenceIn(Instruction.RemittanceInformation) === referenceIn(fixed.RemittanceInformation),
    ],
  ];
  const differs = agreed.find(([, isEqual]) => !isEqual);
  if (differs) throw refused('U008', `${differs[0]} differs from the consent`, differs[0]);
}

/** Returns the payment reference: the instruction's, otherwise the consent's. */
export function referenceOf(request: PaymentRequest): string | undefined {
  return (
    referenceIn(request.Data.Instruction.RemittanceInformation) ??
    referenceIn(request.Data.Initiation.RemittanceInformation)
  );
}

/** Returns `Structured[0].CreditorReferenceInformation.Reference`, where version 4 keeps the reference. */
export function referenceIn(remittance: unknown): string | undefined {
  const structured = (remittance as Json | undefined)?.Structured;
  const first = Array.isArray(structured) ? (structured[0] as Json | undefined) : undefined;
  const information = first?.CreditorReferenceInformation as Json | undefined;
  return typeof information?.Reference === 'string' ? information.Reference : undefined;
}
