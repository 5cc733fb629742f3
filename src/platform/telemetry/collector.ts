// Where traces and logs are sent, from the settings of OpenTelemetry.
import type { z } from 'zod'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { openTelemetrySettings } from './settings.ts'

type Settings = z.output<z.ZodObject<typeof openTelemetrySettings>>

export interface Collector {
  /** Undefined: no traces are sent. */
  readonly tracesUrl: string | undefined
  readonly logsUrl: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  readonly sampler: Settings['OTEL_TRACES_SAMPLER']
  /** The share of the traces that a sampler by ratio records. */
  readonly share: number
}

export interface OpenTelemetry {
  readonly telemetry: Telemetry | undefined
  /** Takes a line of the log, as JSON without secrets. */
  readonly takeLine: ((line: string) => void) | undefined
  /** Sends what is left. */
  close(): Promise<void>
}

/** Undefined: nothing is sent. */
export function readCollector(settings: Settings): Collector | undefined {
  if (settings.OTEL_SDK_DISABLED === 'true') return undefined
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '')
  const below = (path: string) => (base === undefined ? undefined : base + path)
  const tracesUrl =
    settings.OTEL_TRACES_EXPORTER === 'none'
      ? undefined
      : (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below('/v1/traces'))
  const logsUrl =
    settings.OTEL_LOGS_EXPORTER === 'none'
      ? undefined
      : (settings.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? below('/v1/logs'))
  if (tracesUrl === undefined && logsUrl === undefined) return undefined
  return {
    tracesUrl,
    logsUrl,
    headers: readPairs(settings.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: settings.OTEL_SERVICE_NAME,
    attributes: readPairs(settings.OTEL_RESOURCE_ATTRIBUTES),
    sampler: settings.OTEL_TRACES_SAMPLER,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** Loads the SDK only if there is a collector. */
export async function openOpenTelemetry(
  settings: Settings,
  version: string,
): Promise<OpenTelemetry | undefined> {
  const collector = readCollector(settings)
  if (collector === undefined) return undefined
  const { createOpenTelemetry } = await import('./open-telemetry.ts')
  return createOpenTelemetry(collector, version)
}

/** `name=value,other=value`, percent-encoded. */
function readPairs(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [name = '', ...rest] = pair.split('=')
      return name.trim() === '' || rest.length === 0
        ? []
        : [[name.trim(), decode(rest.join('=').trim())]]
    }),
  )
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
