/** The merchant of tests and benchmarks; the account is a published test pair. */
export const FERNHILL = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  email: 'help@fernhill.example',
  website: 'https://fernhill.example',
  address: '1 Fern Hill, Leeds LS1 4AP',
  terms: 'Cancel at any time.',
  settlementAccount: {
    sortCode: '089999',
    accountNumber: '66374958',
    name: 'Fernhill Broadband Ltd',
  },
};
