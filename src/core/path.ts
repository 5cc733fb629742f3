import { fail } from './errors.ts'

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
    throw fail('bad_request', { message: `"${text}" cannot be part of an address.` })
  }
  // A segment may hold these as they are, and vendors write them so: `/works/doi:10.1000`.
  return encodeURIComponent(text).replaceAll(/%(3A|40|2C)/g, decodeURIComponent)
}
