// The settings of metrics and traces.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'

export const metricsSettings = {
  METRICS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Off: the gateway measures nothing, and /metrics has nothing to show.'),
  METRICS_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe(
      'Port of a listener that answers /metrics and nothing else, without a token. Unset: PORT answers it, for ADMIN_TOKEN.',
    ),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address of that listener, if METRICS_PORT is set.'),
} as const

const exporter = (what: string) =>
  z.enum(['otlp', 'none']).default('otlp').describe(`none: ${what} are not sent.`)

/** As the specification of OpenTelemetry names them. */
export const openTelemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe(
      'Address of a collector that takes OTLP as JSON over HTTP, such as http://127.0.0.1:4318. Unset: no traces and logs are sent.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url()
    .optional()
    .describe('The whole address for traces, if it is not /v1/traces of that one.'),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: z
    .url()
    .optional()
    .describe('The whole address for logs, if it is not /v1/logs of that one.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('Headers for the collector: name=value, with commas between them.'),
  OTEL_TRACES_EXPORTER: exporter('traces'),
  OTEL_LOGS_EXPORTER: exporter('logs'),
  OTEL_SERVICE_NAME: z
    .string()
    .default('tollway')
    .describe('The name of this gateway in traces and logs.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe('More about this gateway: deployment.environment=staging, with commas between them.'),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe(
      'Which traces are recorded. `parentbased`: as the request’s traceparent says, if it has one.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of the traces that `traceidratio` records.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: neither traces nor logs are sent.'),
} as const
