// How the vendor says that a request failed. Source: its documentation of model errors and of request errors.
import { type CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'

interface Fault {
  readonly type?: unknown
  readonly loc?: unknown
}

/** Of a model: not the caller's fault. */
const ownFaults: readonly unknown[] = [
  'internal_server_error',
  'generation_timeout',
  'downstream_service_error',
  'downstream_service_unavailable',
]

const failed =
  'The vendor could not finish this generation. Nothing was charged; try again, or use another model.'
const nothingMade =
  'The model made nothing of this input. Nothing was charged; change the prompt or the input.'
export const refusedParameters =
  'The model refused these parameters. Nothing was charged; data.parameter, if present, names the one at fault. GET /api/catalog lists what the model takes.'

/** The meaning of a failure that names its type. Undefined for one that does not. */
function readFault(type: unknown, parameter: string | undefined) {
  const data = { reason: type, ...(parameter && { parameter }) }
  if (type === 'content_policy_violation') return { code: 'content_policy_violation' } as const
  if (type === 'no_media_generated')
    return { code: 'bad_request', message: nothingMade, data } as const
  if (ownFaults.includes(type)) return { code: 'upstream_error', message: failed, data } as const
  return { code: 'bad_request', message: refusedParameters, data } as const
}

/** Of a request: everything but `bad_request` is a matter of the vendor's machines. */
const readRequestFault = (type: unknown) =>
  type === 'bad_request'
    ? ({ code: 'bad_request', message: refusedParameters } as const)
    : ({ code: 'upstream_error', message: failed, data: { reason: type } } as const)

function readFaults(body: unknown) {
  const { detail, error_type: type } = membersOf(body)
  const [first] = (Array.isArray(detail) ? detail : []) as readonly Fault[]
  if (typeof first?.type === 'string') {
    const place = Array.isArray(first.loc) ? first.loc.slice(1).join('.') : undefined
    return readFault(first.type, place)
  }
  return typeof type === 'string' ? readRequestFault(type) : undefined
}

/** The failure that the body of a reply reports. Undefined if it does not say what failed. */
export function failureOf(body: unknown): CallError | undefined {
  const fault = readFaults(body)
  if (fault === undefined) return undefined
  const { code, ...options } = fault
  return fail(code, options)
}
