import { host, integer, oneOf, url, variable } from './config-readers.ts';

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
