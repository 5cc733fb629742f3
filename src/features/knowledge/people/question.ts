// What a question about people says: `the heads of marketing at Acme in Berlin`.
import { fail } from '#core/errors.ts'
import { findIdentifiers, identifierPatterns } from '#core/identifier.ts'

export interface PeopleQuestion {
  /** As the caller wrote it. */
  readonly text: string
  /** A name or a role. */
  readonly head: string
  readonly company: string | undefined
  readonly place: string | undefined
}

const asking =
  /^(?:(?:please|find|search|show|list|give|get|look|looking|who|is|are|for|of|me|us|all|the|some|a|an)\s+)+/i

export function readQuestion(query: string): PeopleQuestion {
  const text = query.replace(/[?!.\s]+$/, '').replace(/\s+/g, ' ')
  const bare = text.replace(asking, '') || text
  const [withoutPlace = '', place] = splitLast(bare, /\s+(?:based\s+|living\s+|located\s+)?in\s+/i)
  const [head = '', company] = splitLast(
    withoutPlace,
    /\s*,\s*|\s+@\s*|\s+(?:who\s+)?(?:works?|working|employed)?\s*(?:at|from)\s+/i,
  )
  return { text, head, company, place }
}

/** What stands before the first match and what stands after it. */
function splitLast(text: string, separator: RegExp): readonly [string, string | undefined] {
  const match = separator.exec(text)
  if (match === null || match.index === 0) return [text, undefined]
  const rest = text.slice(match.index + match[0].length).trim()
  return [text.slice(0, match.index).trim(), rest === '' ? undefined : rest]
}

/** Throws `bad_request` for an address of a person, which other actions take. */
export function refuseAddresses(query: string, deepAction: string): void {
  const { 'e-mail address': email, 'LinkedIn profile': profile } = identifierPatterns
  const [address] = findIdentifiers(query, { profile, email }).found
  if (address === undefined) return
  const [noun, action] =
    address.kind === 'email'
      ? ['e-mail address', 'ns_email_a/enrich']
      : ['profile', 'ns_contact/linkedin-contacts']
  throw fail('bad_request', {
    message: `A search describes people, and this query has the ${noun} of one person. Send it in rows to ${deepAction}, or to ${action}. Nothing was charged.`,
  })
}
