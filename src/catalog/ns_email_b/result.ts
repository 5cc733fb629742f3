import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { exactlyOne } from '../lib/person-fields.ts'
import { isUnfunded, readStatus, searchId } from './lib/launched.ts'

const listedMax = 100

export const result = defineAction('result', {
  summary:
    'Read the result of a search, verification or scan of ns_email_b, or list your recent ones.',
  notes:
    'Each poll is charged, so wait 3 to 5 seconds between polls. state is in_progress, found, not_found or error; read items[0].results when found. The status of an error is BAD_INPUT, INSUFFICIENT_FUNDS or ABORTED, and the search has ended; INSUFFICIENT_FUNDS is about the operator’s account at the vendor, and its poll is free. {mode: single, limit} lists those of your searches that are among the newest of this gateway. Ids come from ns_email_b/email-search, ns_email_b/email-verification and ns_email_b/domain-scan.',
  synonyms: [
    'poll email search',
    'search status',
    'recent searches',
    'icypeas',
    'email result',
    'outcome of an email search',
  ],
  questions: [
    'is my email search finished?',
    'read the found address for this search id',
    'list my recent email finder searches',
  ],
  people: true,
  input: z
    .strictObject({
      id: searchId.optional().describe('item._id of the launch.'),
      mode: z.literal('single').optional().describe('Lists recent searches instead.'),
      limit: z
        .int()
        .min(1)
        .max(listedMax)
        .optional()
        .describe('With mode: how many; 10 unless set.'),
    })
    .refine(exactlyOne('id', 'mode'), { message: 'Send either id or mode: single' })
    .refine(({ mode, limit }) => limit === undefined || mode !== undefined, {
      message: 'limit goes with mode: single',
    }),
  output: z.looseObject({
    items: z.array(
      z.looseObject({
        _id: z.string(),
        status: z.string().describe('In the vendor’s words.'),
        state: z.enum(['in_progress', 'found', 'not_found', 'error']),
        results: z.looseObject({}).nullish(),
      }),
    ),
    total: z.number().nullish(),
  }),
  price: {
    cents: 1,
    used: ({ items }) => (isUnfunded(items) ? 0 : 1),
    freeWhen: 'when the operator’s account at the vendor was empty',
  },
  example: { input: { id: 'kMnquYkBTs8kZM9ND26h' }, cents: 1 },
  owned: ({ id }) => (id === undefined ? undefined : { kind: 'search', id }),
  async run({ input: { id, limit = 10 }, http, issued }) {
    // One key serves all callers, so the vendor lists the searches of all. Only the caller's own are passed on.
    const own = id === undefined ? new Set(await issued('search')) : new Set([id])
    const ask = id === undefined ? { mode: 'single', limit: listedMax } : { id }
    const { items } = await http.post('/bulk-single-searchs/read', ask)
    const theirs = ((items ?? []) as { _id: string; status: string }[])
      .filter((item) => own.has(item._id))
      .slice(0, limit)
      .map((item) => ({ ...readItem(item), state: readStatus(item.status) }))
    if (id !== undefined && theirs.length === 0) throw fail('not_found')
    return { items: theirs, total: theirs.length }
  },
})

/** Fields about the operator's account at the vendor, which are not passed on. */
function readItem({ user: _user, ...item }: { _id: string; status: string; user?: unknown }) {
  return item
}
