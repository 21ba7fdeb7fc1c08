/** Bodies of the standard's requests, with each test's changes. */

const CREDITOR = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '08999966374958',
  Name: 'Fernhill Broadband Ltd',
};

const REMITTANCE = {
  Structured: [{ CreditorReferenceInformation: { Reference: 'SCH7K2M4P9Q' } }],
};

const RISK = {
  PaymentContextCode: 'BillingGoodsAndServicesInAdvance',
  ContractPresentIndicator: true,
};

const INITIATION = { CreditorAccount: CREDITOR, RemittanceInformation: REMITTANCE };

/** Returns a consent to £49.99 a month, starting at consent. */
export function consentBody(controlParameters: object = {}, risk: object = {}) {
  return {
    Data: {
      ControlParameters: {
        MaximumIndividualAmount: { Amount: '49.99', Currency: 'GBP' },
        PeriodicLimits: [
          { PeriodType: 'Month', PeriodAlignment: 'Consent', Amount: '49.99', Currency: 'GBP' },
        ],
        VRPType: ['UK.OBIE.VRPType.CVRP1'],
        PSUAuthenticationMethods: ['UK.OBIE.SCANotRequired'],
        PSUInteractionTypes: ['OffSession'],
        ...controlParameters,
      },
      Initiation: INITIATION,
    },
    Risk: { ...RISK, ...risk },
  };
}

/** Returns a payment under such a consent; `id` names the instruction. */
export function paymentBody(consentId: string, id: string, amount = '49.99', initiation = {}) {
  return {
    Data: {
      ConsentId: consentId,
      PSUAuthenticationMethod: 'UK.OBIE.SCANotRequired',
      PSUInteractionType: 'OffSession',
      VRPType: 'UK.OBIE.VRPType.CVRP1',
      Initiation: { ...INITIATION, ...initiation },
      Instruction: {
        InstructionIdentification: id,
        EndToEndIdentification: id,
        InstructedAmount: { Amount: amount, Currency: 'GBP' },
        CreditorAccount: CREDITOR,
      },
    },
    Risk: RISK,
  };
}

export function fundsBody(consentId: string, amount = '49.99') {
  const InstructedAmount = { Amount: amount, Currency: 'GBP' };
  return { Data: { ConsentId: consentId, InstructedAmount } };
}
