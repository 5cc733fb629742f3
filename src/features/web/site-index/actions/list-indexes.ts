import { type Action, defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import type { IndexRows } from '../index-rows.ts'

export function createListIndexes({
  rows,
  quotaCharacters,
}: {
  readonly rows: Pick<IndexRows, 'list' | 'charactersOf'>
  readonly quotaCharacters: number
}): Action {
  return defineAction('list-indexes', {
    summary: 'List the indexes that you have made of sites.',
    notes:
      'Newest first, with the sites in each and the room that they take. index-site makes and updates them, search-index searches them, delete-index removes one.',
    synonyms: ['my indexes', 'list indexes', 'indexed sites', 'index quota', 'index status'],
    questions: [
      'which sites have I indexed?',
      'how many pages does my index have?',
      'how much room do my indexes take?',
    ],
    input: z.strictObject({}),
    output: z.object({
      indexes: z.array(
        z.object({
          index_id: z.uuid(),
          sites: z.array(z.string()).describe('The addresses where they begin.'),
          pages: z.int(),
          characters: z.int().describe('Of text.'),
          created_at: z.string(),
          indexed_at: z.string().nullable().describe('When its newest page was read.'),
        }),
      ),
      used_characters: z.int().describe('Of all indexes of your account.'),
      quota_characters: z.int(),
    }),
    price: 'free',
    example: { input: {}, cents: 0 },
    async run({ caller }) {
      const [indexes, used] = await Promise.all([
        rows.list(ownerOf(caller)),
        rows.charactersOf(caller.accountId),
      ])
      return {
        indexes: indexes.map(({ id, sites, pages, characters, createdAt, indexedAt }) => ({
          index_id: id,
          sites: [...sites],
          pages,
          characters,
          created_at: createdAt.toISOString(),
          indexed_at: indexedAt?.toISOString() ?? null,
        })),
        used_characters: used,
        quota_characters: quotaCharacters,
      }
    },
  })
}
