import { type Action, defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import type { IndexRows } from '../index-rows.ts'
import { indexId } from './fields.ts'

export function createDeleteIndex({ rows }: { readonly rows: Pick<IndexRows, 'remove'> }): Action {
  return defineAction('delete-index', {
    summary: 'Delete an index of yours with all its pages.',
    notes:
      'It is gone at once, and its room is free. list-indexes finds the id. An index that is not used lapses by itself.',
    synonyms: ['delete index', 'remove index', 'drop index', 'free index quota', 'forget site'],
    questions: [
      'how do I delete my index of a site?',
      'remove the documentation that I indexed',
      'make room for another index',
    ],
    removes: ['index', 'unindex', 'knowledge base', 'documentation'],
    input: z.strictObject({ index_id: indexId }),
    output: z.object({ index_id: z.uuid(), deleted: z.literal(true) }),
    price: 'free',
    example: { input: { index_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
    async run({ input, caller }) {
      await rows.remove(ownerOf(caller), input.index_id)
      return { index_id: input.index_id, deleted: true }
    },
  })
}
