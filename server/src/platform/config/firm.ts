import { contact, email, fcaReference, nameOf, url, variable } from './readers.ts';

/** The firms behind the service, as the portal names them: docs/rules/consents.md#who-provides-the-service. */
export interface Firm {
  name: string;
  fcaReference: string;
  /** Where customers write about a wrong payment, or complain. */
  email: string;
  termsUrl: string;
  privacyUrl: string;
  complaintsUrl: string;
  ombudsman: { name: string; url: string };
  issuer: { name: string; fcaReference: string };
  /** Where weaknesses are reported, as a URI; null: security.txt is not served. */
  securityContact: string | null;
  /** Some of it is the sandbox's example. */
  isExample: boolean;
}

const https = url(['https:']);

export const FIRM_VARIABLES = {
  FIRM_NAME: variable('the legal name of the firm that initiates payments', null, nameOf),
  FIRM_FCA_REFERENCE: variable("the firm's reference number at the FCA", null, fcaReference),
  FIRM_EMAIL: variable('where customers report a wrong payment, or complain', null, email),
  FIRM_TERMS_URL: variable("the firm's terms for customers, https://", null, https),
  FIRM_PRIVACY_URL: variable("the firm's privacy notice, https://", null, https),
  FIRM_COMPLAINTS_URL: variable('how the firm handles complaints, https://', null, https),
  OMBUDSMAN_NAME: variable('the ombudsman that customers may turn to', null, nameOf),
  OMBUDSMAN_URL: variable("the ombudsman's website, https://", null, https),
  ISSUER_NAME: variable('the legal name of the e-money issuer', null, nameOf),
  ISSUER_FCA_REFERENCE: variable("the issuer's reference number at the FCA", null, fcaReference),
} as const;

/** What no service needs. */
export const CONTACT_VARIABLES = {
  SECURITY_CONTACT: variable(
    'where weaknesses are reported, for /.well-known/security.txt: an address, or https://',
    null,
    contact,
  ),
} as const;

export type FirmSetting = keyof typeof FIRM_VARIABLES;
export type FirmValues = Readonly<
  Record<FirmSetting | keyof typeof CONTACT_VARIABLES, string | null>
>;

export const FIRM_SETTINGS = Object.keys(FIRM_VARIABLES) as FirmSetting[];

/** What a sandbox shows where nothing is set. Live mode requires every one. */
const EXAMPLES: Readonly<Record<FirmSetting, string>> = {
  FIRM_NAME: 'Example Payments Ltd',
  FIRM_FCA_REFERENCE: '000000',
  FIRM_EMAIL: 'help@payments.example',
  FIRM_TERMS_URL: 'https://payments.example/terms',
  FIRM_PRIVACY_URL: 'https://payments.example/privacy',
  FIRM_COMPLAINTS_URL: 'https://payments.example/complaints',
  OMBUDSMAN_NAME: 'Financial Ombudsman Service',
  OMBUDSMAN_URL: 'https://www.financial-ombudsman.org.uk',
  ISSUER_NAME: 'Example E-money Ltd',
  ISSUER_FCA_REFERENCE: '000000',
};

/** Returns the firms as configured, with examples for what is not set. */
export function firmOf(v: FirmValues): Firm {
  const of = (setting: FirmSetting): string => v[setting] ?? EXAMPLES[setting];
  return {
    name: of('FIRM_NAME'),
    fcaReference: of('FIRM_FCA_REFERENCE'),
    email: of('FIRM_EMAIL'),
    termsUrl: of('FIRM_TERMS_URL'),
    privacyUrl: of('FIRM_PRIVACY_URL'),
    complaintsUrl: of('FIRM_COMPLAINTS_URL'),
    ombudsman: { name: of('OMBUDSMAN_NAME'), url: of('OMBUDSMAN_URL') },
    issuer: { name: of('ISSUER_NAME'), fcaReference: of('ISSUER_FCA_REFERENCE') },
    securityContact: v.SECURITY_CONTACT,
    isExample: FIRM_SETTINGS.some((setting) => v[setting] === null),
  };
}
