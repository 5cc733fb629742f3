// The process that reads one document and ends. It has no network, no secrets, and limits that the kernel enforces.
import { buffer } from 'node:stream/consumers'
import { writeBlocks } from './blocks.ts'
import type { PageContent } from './document.ts'
import { DocumentFailure, tooLarge } from './failure.ts'
import type { DocumentBegun, DocumentMessage, DocumentPage, DocumentTask } from './messages.ts'
import { openDocument } from './open-document.ts'

/** Of one page's Markdown. */
const pageCharactersMax = 1_000_000

/** Ends when the message has left: what still waits for a busy gateway would be lost with the process. */
async function say(message: DocumentMessage | DocumentBegun): Promise<void> {
  const line = `${JSON.stringify(message)}\n`
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(line, (failed) => (failed ? reject(failed) : resolve()))
  })
}

function toPage({ title, blocks, ...marks }: PageContent, number: number): DocumentPage {
  const markdown = writeBlocks(blocks)
  if (markdown.length > pageCharactersMax)
    throw tooLarge(`Page ${number} has more than ${pageCharactersMax} characters.`)
  const tables = blocks.flatMap((block) => (block.kind === 'table' ? [{ rows: block.rows }] : []))
  const isWithoutText = markdown === '' && !marks.isUnreadScan
  return { number, title, markdown, tables, ...marks, ...(isWithoutText && { isWithoutText }) }
}

async function readDocument(task: DocumentTask): Promise<void> {
  const { pages, ...head } = await openDocument(await buffer(process.stdin), task)
  await say({ kind: 'document', ...head })
  let number = task.first
  const last = task.first + task.count - 1
  for await (const page of pages(task.first)) {
    if (number > last) return await say({ kind: 'end', hasMore: true })
    await say({ kind: 'page', page: toPage(page, number) })
    number += 1
    if (number > last && head.pageCount !== undefined)
      return await say({ kind: 'end', hasMore: number <= head.pageCount })
  }
  await say({ kind: 'end', hasMore: false })
}

function toFailure(thrown: unknown): DocumentMessage {
  if (thrown instanceof DocumentFailure) {
    const { trouble, message, cause } = thrown
    return { kind: 'failure', trouble, message, ...(cause ? { cause: String(cause) } : {}) }
  }
  return {
    kind: 'failure',
    trouble: 'document_unreadable',
    message: 'The document is damaged and cannot be read.',
    cause: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
  }
}

await say({ kind: 'begun' })
await readDocument(JSON.parse(process.argv[2] ?? '')).catch((thrown) => say(toFailure(thrown)))
process.exit()
