import { gatewayUrl, host, integer, oneOf, text, url, type ValuesOf, variable } from './readers.ts';

/** The settings of the operators' port. */
export const OPERATOR_VARIABLES = {
  OPERATOR_HOST: variable(
    "the address of the operators' port; whoever reaches it reads the metrics",
    '127.0.0.1',
    host,
  ),
  OPERATOR_PORT: variable(
    "the operators' port, with /metrics: one for each process of a machine; 0: any free one",
    '4004',
    integer(0, 65535),
  ),
  OPERATOR_URL: variable(
    "where operators' browsers reach that port, for single sign-on: https://, or http:// on this machine",
    null,
    gatewayUrl,
  ),
  OPERATOR_SSO_ISSUER: variable(
    'the OpenID provider through which operators sign in to the console: its issuer',
    null,
    gatewayUrl,
  ),
  OPERATOR_SSO_CLIENT_ID: variable('our client id at that provider', null, text),
  OPERATOR_SSO_CLIENT_SECRET: variable('our secret at that provider', null, text),
  OPERATOR_KEY_SIGN_IN: variable(
    'on: operators sign in to the console with their keys too; off: only through the provider',
    'on',
    oneOf(['on', 'off'] as const),
  ),
  OPERATOR_SESSION_MINUTES: variable(
    'how long an operator stays signed in to the console',
    '720',
    integer(5, 43_200),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    "the OpenTelemetry collector that traces and logs are sent to; OpenTelemetry's other variables hold too",
    null,
    url(['http:', 'https:']),
  ),
  OTEL_SDK_DISABLED: variable(
    'true: no traces and logs are sent to it',
    'false',
    oneOf(['true', 'false'] as const),
  ),
} as const;

/** How operators sign in to the console. */
export interface ConsoleSignIn {
  /** The operator's own identity provider; null: none. */
  sso: { issuer: string; clientId: string; clientSecret: string; consoleUrl: string } | null;
  /** Whether an operator's key signs in to the console. It calls the operators' API in any case. */
  byKey: boolean;
  sessionMinutes: number;
}

export type OperatorValues = ValuesOf<typeof OPERATOR_VARIABLES>;

/** Returns how operators sign in to the console. */
export function consoleSignInOf(v: OperatorValues): ConsoleSignIn {
  const { OPERATOR_URL: url, OPERATOR_SSO_ISSUER: issuer } = v;
  const { OPERATOR_SSO_CLIENT_ID: clientId, OPERATOR_SSO_CLIENT_SECRET: clientSecret } = v;
  const isWhole = url !== null && issuer !== null && clientId !== null && clientSecret !== null;
  return {
    sso: isWhole
      ? { issuer, clientId, clientSecret, consoleUrl: `${url.replace(/\/+$/, '')}/console` }
      : null,
    byKey: v.OPERATOR_KEY_SIGN_IN !== 'off',
    sessionMinutes: v.OPERATOR_SESSION_MINUTES ?? 0,
  };
}
