import { type CallError, fail } from './errors.ts'

/**
 * A path of a request in which every value is one percent-encoded segment: path`/works/${id}`. What a caller writes can
 * thus neither add a segment, nor a query, nor climb. Throws `bad_request` for what no segment can be.
 */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((text, part, place) => `${text}${segment(values[place - 1] ?? '')}${part}`)
}

function segment(value: string | number): string {
  const text = String(value)
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed()) {
    throw unfitPart(text)
  }
  // A segment may hold these as they are, and vendors write them so: `/works/doi:10.1000`.
  return encodeURIComponent(text).replaceAll(/%(3A|40|2C)/g, decodeURIComponent)
}

/** The refusals of parts, with the part: the caller's mistake, or the provider's from whose reply it is. */
const unfitParts = new WeakMap<object, string>()

function unfitPart(part: string): CallError {
  const refusal = fail('bad_request', { message: `"${part}" cannot be part of an address.` })
  unfitParts.set(refusal, part)
  return refusal
}

/** What was thrown, but that a part of an address which the caller has not sent is the provider's failure. */
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
