/** The settings that say who provides the service, as a live service has them. */
export const FIRM_ENV = {
  FIRM_NAME: 'Fern Payments Ltd',
  FIRM_FCA_REFERENCE: '123456',
  FIRM_EMAIL: 'help@fernpayments.co.uk',
  FIRM_TERMS_URL: 'https://fernpayments.co.uk/terms',
  FIRM_PRIVACY_URL: 'https://fernpayments.co.uk/privacy',
  FIRM_COMPLAINTS_URL: 'https://fernpayments.co.uk/complaints',
  OMBUDSMAN_NAME: 'Financial Ombudsman Service',
  OMBUDSMAN_URL: 'https://www.financial-ombudsman.org.uk',
  ISSUER_NAME: 'Hill E-money Ltd',
  ISSUER_FCA_REFERENCE: '7654321',
};
