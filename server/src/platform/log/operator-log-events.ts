import { type LogEvent, warn } from './log-event.ts';

/** The log events about operators. */
export const OPERATOR_LOG_EVENTS = {
  'operators.port_taken': warn(
    "The operators' port is taken; listening on another one",
    'Set `OPERATOR_PORT` for each process of the machine; `listens_on` says where the metrics of this one are',
  ),
  'operators.provider_failed': warn(
    'The operators’ identity provider did not sign somebody in',
    'Read `err`; mostly `OPERATOR_SSO_…` or the provider. Meanwhile operators sign in with their keys, unless `OPERATOR_KEY_SIGN_IN` is off',
  ),
  'operators.changed': warn(
    'Operators, or what two of them did',
    'See that it was meant: `change` says what, `subject` who; the console’s *Activity* has the reason. Else hold the pay-outs and revoke the keys',
  ),
} as const satisfies Record<string, LogEvent>;
