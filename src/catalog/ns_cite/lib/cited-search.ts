// Shared by the plain and the deep search, which differ only in depth, time and price.
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { ProviderHttp } from '#core/ports.ts'

const domains = z.array(z.string().trim().min(1).max(255)).min(1).max(100).optional()

export const citedInput = z
  .strictObject({
    q: z.string().trim().min(1).max(4_000).describe('The question, as precise as can be.'),
    outputType: z
      .enum(['sourcedAnswer', 'searchResults', 'structured'])
      .default('sourcedAnswer')
      .describe('An answer with its sources, the sources alone, or an object by your schema.'),
    structuredOutputSchema: z
      .string()
      .min(2)
      .max(20_000)
      .refine(isObjectSchema, { message: 'must be the JSON text of a schema of type object' })
      .optional()
      .describe('JSON schema of the answer, as a string; with outputType structured.'),
    fromDate: z.iso.date().optional().describe('ISO date; only pages published since.'),
    toDate: z.iso.date().optional().describe('ISO date; only pages published until then.'),
    includeDomains: domains.describe('Only these sites.'),
    excludeDomains: domains.describe('Not these sites.'),
    includeImages: z.boolean().optional().describe('Return images too.'),
    includeInlineCitations: z
      .boolean()
      .optional()
      .describe('Mark in the answer which source says what; with outputType sourcedAnswer.'),
  })
  .refine(
    ({ outputType, structuredOutputSchema: schema }) =>
      (outputType === 'structured') === (schema !== undefined),
    { message: 'Send structuredOutputSchema with outputType structured, and with no other' },
  )
  .refine(
    ({ outputType, includeInlineCitations }) =>
      includeInlineCitations !== true || outputType === 'sourcedAnswer',
    {
      path: ['includeInlineCitations'],
      message: 'works with outputType sourcedAnswer only: leave it out',
    },
  )
  .refine(({ fromDate, toDate }) => !fromDate || !toDate || fromDate <= toDate, {
    path: ['toDate'],
    message: 'is before fromDate',
  })

const source = z.looseObject({ name: z.string().nullish(), url: z.string() })

export const citedOutput = z.looseObject({
  answer: z.string().optional().describe('With outputType sourcedAnswer.'),
  sources: z.array(source).optional().describe('What the answer rests on.'),
  results: z.array(source).optional().describe('With outputType searchResults.'),
  structured: z.unknown().optional().describe('With outputType structured: by your schema.'),
})

function isObjectSchema(text: string): boolean {
  try {
    return membersOf(JSON.parse(text)).type === 'object'
  } catch {
    return false
  }
}

export async function searchCited(
  http: ProviderHttp,
  input: z.output<typeof citedInput>,
  depth: 'standard' | 'deep',
) {
  const reply = await http.post('/search', { ...input, depth })
  const { outputType } = input
  if (outputType === 'structured') {
    // The vendor returns the object itself, so an empty object is not an answer.
    if (Object.keys(reply ?? {}).length === 0) throw fail('upstream_error')
    return { structured: reply }
  }
  const expected = outputType === 'sourcedAnswer' ? reply?.answer : reply?.results
  if (expected === undefined) throw fail('upstream_error')
  return reply
}
