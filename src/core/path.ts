import { type CallError, fail } from './errors.ts'

/**
 * The path of a request, with every value percent-encoded as one segment: path`/works/${id}`. So a caller's text cannot
 * add a segment or a query, or climb. Throws `bad_request` for a value that cannot be a segment.
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((text, part, place) => `${text}${segment(values[place - 1] ?? '')}${part}`)
}

function segment(value: string | number): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw unfitPart(text)
  }
  // These may stand in a segment, and vendors expect them: `/works/doi:10.1000`.
  return encodeURIComponent(text).replaceAll(/%(3A|40|2C)/g, decodeURIComponent)
}

/** The refused part of each refusal: a mistake of the caller, or of the provider whose reply it is from. */
const unfitParts = new WeakMap<object, string>()

function unfitPart(part: string): CallError {
  const refusal = fail('bad_request', { message: `"${part}" cannot be part of an address.` })
  unfitParts.set(refusal, part)
  return refusal
}

/**
 * Turns the refusal of a part that the caller did not send into a failure of the provider. Other errors pass unchanged.
 */
export function blame(thrown: unknown, input: unknown): unknown {
  const part = unfitParts.get(Object(thrown))
  if (part === undefined || isSent(part, input)) return thrown
  return fail('upstream_error', {
    message: 'The provider’s answer could not be read. Nothing was charged; try again.',
    cause: thrown,
  })
}

function isSent(part: string, input: unknown): boolean {
  if (typeof input === 'object' && input !== null)
    return Object.values(input).some((value) => isSent(part, value))
  const text = String(input ?? '')
  if (part === '') return text === '' || /^\/|\/\/|\/$/.test(text)
  return text.includes(part) || (text !== '' && part.includes(text))
}
