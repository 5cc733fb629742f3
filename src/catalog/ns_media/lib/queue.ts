// The vendor's queue. A generation is submitted, asked about until it has ended, and its result is read.
// https://fal.ai/docs/documentation/model-apis/inference/queue
import { type CallError, fail, toCallError } from '#core/errors.ts'
import type { MediaModel, MediaParameters } from '#core/media-model.ts'
import type { ProviderHttp } from '#core/ports.ts'
import { failureOf, refusedParameters } from './failure.ts'

/** `queue` holds generations, `storage` takes uploads. */
export const hosts = { queue: 'queue.fal.run', storage: 'rest.fal.ai' } as const

const host = { host: hosts.queue }
const endpointNamespaces = ['workflows', 'comfy']
/** A job cannot pay a seller, because another worker may repeat it. */
const paymentRequired = 402
const jobsNeedKey =
  'This gateway buys single generations, and only those that are answered at once. Videos need the vendor’s key. Nothing was charged; use another model.'
/** Statuses of a generation that has failed: the body says why. */
const failures = [400, 409, 413, 422, 500, 502, 503, 504]

export type Submitted =
  | { readonly kind: 'queued'; readonly requestId: string }
  /** A seller without a queue has answered at once. */
  | { readonly kind: 'done'; readonly reply: unknown }

export type State =
  | { readonly kind: 'queued'; readonly ahead: number | undefined }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly reply: unknown }
  | { readonly kind: 'failed'; readonly error: CallError }
  /** The vendor could not be asked this time. The generation goes on. */
  | { readonly kind: 'unknown' }

export interface GenerationQueue {
  /** `webhookUrl`: the vendor sends a POST there when the generation has ended. */
  submit(
    parameters: MediaParameters,
    as: 'inline' | 'job',
    webhookUrl?: string | undefined,
  ): Promise<Submitted>
  /** Throws `not_found` for a generation that the vendor does not know. */
  ask(requestId: string): Promise<State>
  /** Asks the vendor to drop a generation. It may be too late. */
  cancel(requestId: string): Promise<void>
}

export function createQueue(
  http: ProviderHttp,
  { endpoint }: Pick<MediaModel, 'endpoint'>,
): GenerationQueue {
  const at = (requestId: string) => `/${appOf(endpoint)}/requests/${encodeURIComponent(requestId)}`

  async function readResult(requestId: string): Promise<State> {
    const reply = await http.send({ method: 'GET', path: at(requestId), host, accept: failures })
    if (reply.status < 400) return { kind: 'done', reply: reply.body }
    const error = failureOf(reply.body)
    return error === undefined ? { kind: 'unknown' } : { kind: 'failed', error }
  }

  async function readState(requestId: string): Promise<State> {
    const body = await http.get(`${at(requestId)}/status`, { host, query: { logs: '0' } })
    if (body?.status === 'IN_QUEUE') return { kind: 'queued', ahead: body.queue_position }
    if (body?.status !== 'COMPLETED') return { kind: 'running' }
    const error = failureOf(body)
    return error === undefined ? await readResult(requestId) : { kind: 'failed', error }
  }

  return {
    async submit(parameters, as, webhookUrl) {
      const headers = { 'x-fal-queue-priority': 'normal' }
      const path = `/${endpoint}`
      const accept = as === 'job' ? [...failures, paymentRequired] : failures
      const reply = await http.send({
        method: 'POST',
        path,
        body: parameters,
        ...(webhookUrl && { query: { fal_webhook: webhookUrl } }),
        host,
        headers,
        accept,
        outlivesCall: as === 'inline',
      })
      if (reply.status >= 400) throw failureOf(reply.body) ?? refusal(reply.status)
      const { body } = reply
      return typeof body?.request_id === 'string'
        ? { kind: 'queued', requestId: body.request_id }
        : { kind: 'done', reply: body }
    },
    async ask(requestId) {
      return await readState(requestId).catch((thrown): State => {
        if (toCallError(thrown).code === 'not_found') throw thrown
        return { kind: 'unknown' }
      })
    },
    async cancel(requestId) {
      const path = `${at(requestId)}/cancel`
      await http.send({ method: 'PUT', path, host, accept: failures, outlivesCall: true })
    },
  }
}

/** Of a submission that was refused without a reason. */
const refusal = (status: number) =>
  status === paymentRequired
    ? fail('provider_not_configured', { message: jobsNeedKey })
    : status < 500
      ? fail('bad_request', { message: refusedParameters })
      : fail('upstream_error')

/** The part of an endpoint under which its requests are found: `owner/app`. */
function appOf(endpoint: string): string {
  const parts = endpoint.split('/')
  return parts.slice(0, endpointNamespaces.includes(parts[0] ?? '') ? 3 : 2).join('/')
}
