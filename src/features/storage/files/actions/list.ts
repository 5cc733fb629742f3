import { type Action, defineAction, z } from '#core/action.ts'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { FileRows } from '../file-rows.ts'
import { record, tags, toRecord } from './fields.ts'

const filesPerPageMax = 200
const queryCharactersMax = 500

export function createList({ rows }: { rows: Pick<FileRows, 'list' | 'usage'> }): Action {
  return defineAction('list', {
    summary: 'List your files, newest first, with the room that they take.',
    notes:
      'Filter by tags, of which a file must have all, and by a part of the filename. Pending files are listed too, because their size is reserved. files/get gives the address of one.',
    synonyms: [
      'my files',
      'list uploads',
      'search files',
      'find file by tag',
      'storage used',
      'quota',
    ],
    questions: [
      'which files have I stored?',
      'find my files with the tag invoice',
      'how much storage do I have left?',
    ],
    input: z.strictObject({
      tags: tags.describe('Only files that have all of these tags.'),
      query: z
        .string()
        .max(queryCharactersMax)
        .default('')
        .describe('Only files with this text in their filename, in upper or lower case.'),
      limit: z.int().min(1).max(filesPerPageMax).default(50),
      cursor: z.uuid().optional().describe('The next_cursor of the previous page.'),
    }),
    output: z.object({
      files: z.array(record),
      next_cursor: z.string().nullable().describe('Send it as cursor for the next page.'),
      used_bytes: z.int().describe('Of all your files, pending ones included.'),
      quota_bytes: z.int(),
    }),
    price: 'free',
    example: { input: { tags: ['invoice'], query: '2026' }, cents: 0 },
    run: ({ input, caller }) => readFileList(rows, caller, input),
  })
}

/** A page of the files of a caller, and how much room they take. */
export async function readFileList(
  rows: Pick<FileRows, 'list' | 'usage'>,
  caller: Caller,
  {
    tags = [],
    query = '',
    limit,
    cursor: after,
  }: {
    readonly tags?: readonly string[]
    readonly query?: string | undefined
    readonly limit: number
    readonly cursor?: string | undefined
  },
) {
  const [found, usage] = await Promise.all([
    rows.list(ownerOf(caller), { tags, query, after, limit: limit + 1 }),
    rows.usage(caller.accountId),
  ])
  const page = found.slice(0, limit)
  return {
    files: page.map(toRecord),
    next_cursor: found.length > limit ? (page.at(-1)?.fileId ?? null) : null,
    used_bytes: usage.bytes,
    quota_bytes: usage.bytesMax,
  }
}
