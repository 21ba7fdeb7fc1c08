import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

const MOBILE: readonly NumberType[] = ['MOBILE', 'FIXED_LINE_OR_MOBILE'];
const BRITISH_MOBILE = /^\+447/;

/**
 * Whether an E.164 number takes text messages: a mobile number, or one that its country does not tell apart from one. Of numbers
 * in no known range only British ones that begin as mobile numbers do; the examples in documentation are such.
 */
export function isMobile(phone: string): boolean {
  const type = parsePhoneNumberFromString(phone, { extract: false })?.getType();
  return type === undefined ? BRITISH_MOBILE.test(phone) : MOBILE.includes(type);
}

/** The numbers that Ofcom keeps for examples in texts, beside those that begin as mobile numbers do: they are nobody's. */
const EXAMPLES = /^\+44(1632960|3069990)\d{3}$/;

/** Whether an E.164 number is one of the United Kingdom, and not only as long as one. */
export function isBritish(phone: string): boolean {
  const number = parsePhoneNumberFromString(phone, { extract: false });
  if (number?.isValid() === true) return number.countryCallingCode === '44';
  return /^\+447\d{9}$/.test(phone) || EXAMPLES.test(phone);
}
