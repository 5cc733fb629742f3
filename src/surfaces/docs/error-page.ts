import { type ErrorCode, errorTable } from '#core/errors.ts'
import { plain } from './markdown.ts'

/** What a code means and what to do next. Messages of single calls are often more precise. */
export function errorPage(code: ErrorCode): string {
  const { status, retryable, message } = errorTable[code]
  const repeat = retryable
    ? 'The same call can succeed later. Repeat it with the same Idempotency-Key, after the time in Retry-After if there is one.'
    : 'Repeating the same call does not help: change what the message names first.'
  return `# ${code}

${plain(message)}

Status ${status}. ${repeat}

A refused or failed call costs nothing; [calling a gateway](/docs/use) names the exceptions. [All codes](/docs/reference/errors).
`
}
