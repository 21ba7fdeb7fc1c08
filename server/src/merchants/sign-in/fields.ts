import type { Static, TSchema } from 'typebox';
import { checker, type Details, unstorable } from '../../platform/http/schemas/fields.ts';
import { invalid } from '../../platform/values/errors.ts';
import { wrongPassword } from './settings.ts';

/** Returns a function that reads a body by its schema. It throws 400 naming every wrong field. */
export function reader<T extends TSchema>(schema: T): (body: unknown) => Static<T> {
  const check = checker(schema, 'body');
  return (body) => {
    const sent = body === undefined ? {} : body;
    const { value, details } = check(sent);
    const wrong: Details = { ...unstorable(sent), ...details };
    if (value === null || Object.keys(wrong).length > 0) throw invalid(wrong);
    return value;
  };
}

/** Throws 400 if a new password is too short or too long. */
export function refuseWeakPassword(password: string): void {
  const problem = wrongPassword(password);
  if (problem !== null) throw invalid({ password: problem });
}
