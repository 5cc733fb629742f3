// Traces and logs for a collector, by the SDK of OpenTelemetry. This file is loaded only where a collector is set. A
// span has names of the gateway, ids and outcomes: no address, header, body or message, because those can carry
// secrets.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { type AnyValueMap, SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Telemetry, Work } from '#core/telemetry/telemetry.ts'
import type { Collector, OpenTelemetry } from './collector.ts'

const attributeCharactersMax = 1_000

export function createOpenTelemetry(collector: Collector, version: string): OpenTelemetry {
  const resource = resourceFromAttributes({
    ...collector.attributes,
    'service.name': collector.serviceName,
    'service.version': version,
  })
  const contexts = new AsyncLocalStorage<Context>()
  const traces =
    collector.tracesUrl === undefined
      ? undefined
      : new TracerProvider({
          resource,
          sampler: samplerOf(collector),
          spanLimits: { attributeValueLengthLimit: attributeCharactersMax },
          spanProcessors: [
            new BatchSpanProcessor({
              exporter: new OTLPTraceExporter({
                url: collector.tracesUrl,
                headers: { ...collector.headers },
              }),
            }),
          ],
        })
  const logs =
    collector.logsUrl === undefined
      ? undefined
      : new LoggerProvider({
          resource,
          processors: [
            new BatchLogRecordProcessor({
              exporter: new OTLPLogExporter({
                url: collector.logsUrl,
                headers: { ...collector.headers },
              }),
            }),
          ],
        })
  return {
    telemetry: traces && traceWork(traces, version, contexts),
    takeLine: logs && takeLines(logs, version, contexts),
    async close() {
      await Promise.allSettled([traces?.shutdown(), logs?.shutdown()])
    },
  }
}

function samplerOf({ sampler, share }: Collector): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(share)
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new AlwaysOnSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

function traceWork(
  provider: TracerProvider,
  version: string,
  contexts: AsyncLocalStorage<Context>,
): Telemetry {
  const tracer = provider.getTracer('tollway', version)
  return {
    begin(work) {
      const { name, kind, attributes } = spanOf(work)
      const outer = contexts.getStore() ?? parentOf(work)
      const span = tracer.startSpan(name, { kind, attributes }, outer)
      const context = trace.setSpan(outer, span)
      return {
        run: (part) => contexts.run(context, part),
        end(outcome, transactionId) {
          if (transactionId !== undefined)
            span.setAttribute('tollway.transaction_id', transactionId)
          endSpan(span, work, outcome)
        },
      }
    },
    countMoney() {},
  }
}

interface SpanStart {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
}

function spanOf(work: Work): SpanStart {
  switch (work.kind) {
    case 'request':
      return {
        name: `${work.method} ${work.route}`,
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': work.method,
          'http.route': work.route,
          'tollway.request_id': work.requestId,
        },
      }
    case 'upstream':
      return {
        name: `upstream ${work.provider}`,
        kind: SpanKind.CLIENT,
        attributes: {
          'http.request.method': work.method,
          'tollway.provider': work.provider,
        },
      }
    case 'call':
    case 'run':
      return {
        name: `${work.kind} ${work.action}`,
        kind: SpanKind.INTERNAL,
        attributes: {
          'tollway.action': work.action,
          ...('transactionId' in work && { 'tollway.transaction_id': work.transactionId }),
        },
      }
  }
}

function endSpan(span: Span, work: Work, outcome: string) {
  const isRequest = work.kind === 'request'
  if (isRequest) span.setAttribute('http.response.status_code', Number(outcome))
  else span.setAttribute('tollway.outcome', outcome)
  const failed = isRequest ? Number(outcome) >= 500 : outcome !== 'ok' && outcome !== 'replayed'
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The trace that the request belongs to, if it says so (W3C Trace Context). */
function parentOf(work: Work): Context {
  const [, traceId, spanId, flags = ''] =
    (work.kind === 'request' && traceparent.exec(work.traceparent ?? '')) || []
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}

const severities: Readonly<Record<number, readonly [SeverityNumber, string]>> = {
  20: [SeverityNumber.DEBUG, 'DEBUG'],
  30: [SeverityNumber.INFO, 'INFO'],
  40: [SeverityNumber.WARN, 'WARN'],
  50: [SeverityNumber.ERROR, 'ERROR'],
  60: [SeverityNumber.FATAL, 'FATAL'],
}

/** Sends what the log writes, line by line. */
function takeLines(
  provider: LoggerProvider,
  version: string,
  contexts: AsyncLocalStorage<Context>,
): (line: string) => void {
  const logger = provider.getLogger('tollway', version)
  return (line) => {
    const { level, time, msg, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(line)
    const [severityNumber, severityText] = severities[level] ?? [SeverityNumber.INFO, 'INFO']
    logger.emit({
      severityNumber,
      severityText,
      timestamp: time,
      body: msg,
      attributes: fields as AnyValueMap,
      context: contexts.getStore() ?? ROOT_CONTEXT,
    })
  }
}
