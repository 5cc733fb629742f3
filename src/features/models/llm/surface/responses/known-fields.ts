import { type ChatFields, invalid } from '../../conversation/fields.ts'

/** Throws for the first field that this surface does not know. A null counts as absent. */
export function requireKnown(given: ChatFields, known: readonly string[], at: string): void {
  for (const name of Object.keys(given)) {
    if (given[name] == null || known.includes(name)) continue
    const field = at === '' ? name : `${at}.${name}`
    throw invalid(field, `${field} is not a field of this surface. Leave it out.`)
  }
}
