// Collects the pages that the process of a document delivers. What was read before a limit or a broken page is kept.
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import { type DocumentReading, NotBegun, readInProcess } from './document-process.ts'
import type { DocumentHead, DocumentMessage, DocumentPage } from './messages.ts'

export interface DocumentAnswer {
  readonly head: DocumentHead
  /** At least one that was read. */
  readonly pages: readonly DocumentPage[]
  /** Undefined if these are the last ones. */
  readonly nextPage?: number
}

/** Of all pages together, as JSON: the books keep 20,000,000. */
const charactersMax = 12_000_000

/**
 * Throws CallError `document_encrypted`, `document_unreadable`, `document_too_large`, `bad_request`, `upstream_error`.
 */
export async function readAnswer(
  reading: DocumentReading & { readonly log: Log },
): Promise<DocumentAnswer> {
  const { task, log } = reading
  const pages: DocumentPage[] = []
  let head: DocumentHead | undefined
  let left = charactersMax
  let hasMore = true
  for await (const message of messagesOf(reading)) {
    if (message.kind === 'document') head = message
    else if (message.kind === 'page') {
      left -= JSON.stringify(message.page).length
      if (left < 0 && pages.length > 0) break
      pages.push(message.page)
    } else if (message.kind === 'end') hasMore = message.hasMore
    else {
      const { trouble, message: text, cause } = message
      if (cause !== undefined) log.info({ trouble, cause }, 'A document could not be read.')
      if (head === undefined || pages.length === 0)
        throw fail(trouble, { message: `${text} Nothing was charged.` })
    }
  }
  if (head !== undefined && pages.some(isRead)) {
    const nextPage = hasMore ? task.first + pages.length : undefined
    return { head, pages, ...(nextPage === undefined ? {} : { nextPage }) }
  }
  throw refusal(task.first, pages, hasMore)
}

/** Throws CallError `upstream_error` for a process that did not begin, which tells nothing of the document. */
async function* messagesOf({
  log,
  ...reading
}: DocumentReading & { readonly log: Log }): AsyncGenerator<DocumentMessage> {
  try {
    yield* readInProcess(reading)
  } catch (error) {
    if (!(error instanceof NotBegun)) throw error
    log.error({ err: error }, 'The process that reads documents did not begin.')
    throw fail('upstream_error', {
      message:
        'The gateway could not start its reader of documents. Call again later. Nothing was charged.',
      cause: error,
    })
  }
}

/** Only such pages are charged. */
export function isRead({ isUnreadScan, isWithoutText }: DocumentPage): boolean {
  return !isUnreadScan && !isWithoutText
}

/** Why there is nothing to sell. */
function refusal(first: number, pages: readonly DocumentPage[], hasMore: boolean) {
  if (pages.some(({ isUnreadScan }) => isUnreadScan))
    return fail('document_unreadable', {
      message:
        'No text was recognised on these pages, which are scans. Set ocr to true, name their languages in ocr_languages, or use a gateway with Tesseract. Nothing was charged.',
    })
  if (pages.length > 0)
    return fail('document_unreadable', {
      message: 'These pages have no text. Nothing was charged.',
    })
  if (hasMore)
    return fail('document_too_large', {
      message:
        'Reading the document takes more time or memory than one call has. Split it and send the parts. Nothing was charged.',
    })
  return first === 1
    ? fail('document_unreadable', { message: 'The document has no text. Nothing was charged.' })
    : fail('bad_request', { message: `The document has no page ${first}. Nothing was charged.` })
}
