import { type Action, defineAction, type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToUsd } from '#core/money.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { FieldBasis } from '../extraction/evidence.ts'
import { type CutOff, type FieldExtractor, modelMissing } from '../extraction/extractor.ts'
import { readSchema } from '../extraction/schema.ts'
import type { UnfilledCalls } from '../extraction/unfilled-calls.ts'
import type { Ladder, LadderRow } from '../ladder/ladder.ts'
import { normalizeUrl, readUrls } from './intake.ts'
import { fewUrls, nextStep, pageCents, urlsMax } from './onescrape.ts'

const promptCharactersMax = 10_000
/** For the language model, for each page that was read; the model costs the operator no more. */
const modelCents = 1
const timeoutMs = 120_000

const inputSchema = z.strictObject({
  urls: fewUrls,
  schema: z
    .looseObject({ type: z.literal('object'), properties: z.looseObject({}) })
    .refine(({ properties }) => Object.keys(properties).length > 0, {
      message: 'schema has no properties to fill',
    })
    .describe('JSON schema of one object, which is filled from all pages together.'),
  prompt: z
    .string()
    .trim()
    .min(1)
    .max(promptCharactersMax)
    .optional()
    .describe('What to extract, beyond the names and descriptions of the schema.'),
})

const outputSchema = z.object({
  data: z.record(z.string(), z.unknown()).describe('Fits the schema, or has null for a value.'),
  evidence: z
    .array(
      z.object({
        field: z.string().describe('The path of a value in data, as in items.0.price.'),
        status: z
          .enum(['supported', 'unverified', 'unsupported', 'not_found'])
          .describe(
            'supported: the quote holds the value. unverified: the quote is on the page, but does not hold the value as such. unsupported: the model’s quote is on no page, so the value is null. not_found: the pages do not state it.',
          ),
        url: z.string().nullable().describe('The page that the quote is on.'),
        quote: z.string().nullable().describe('The passage, as the page has it.'),
      }),
    )
    .describe('One row for each value of data; none where the answer was cut off.'),
  filled_count: z.int().describe('Values of data that are not null.'),
  pages: z.array(
    z.object({
      url: z.string(),
      final_url: z.string().nullable(),
      title: z.string().nullable(),
      read: z.boolean(),
      error: z.string().exactOptional().describe('Why the page was not read, as in onescrape.'),
      message: z.string().exactOptional().describe('The same in a sentence.'),
    }),
  ),
  read_count: z.int(),
  truncated: z.boolean().describe('The ends of long pages were left out.'),
  model: z.string(),
  tokens_used: z.int(),
  cut_off: z
    .object({
      message: z.string(),
      tokens_usd: z.number().describe('What these tokens cost, and this call.'),
    })
    .exactOptional()
    .describe(
      'The model’s answer was longer than the price pays for. No value is filled in, and only its tokens are charged.',
    ),
})

export interface ExtractDependencies {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  /** Absent where the gateway has no language model. */
  readonly extractor: FieldExtractor | undefined
  readonly unfilled: UnfilledCalls
}

export function createExtract(dependencies: ExtractDependencies): Action {
  const { guard, extractor } = dependencies
  return defineAction('extract', {
    summary: 'Fill a JSON schema from up to five web pages, with the quote that proves each value.',
    notes:
      'A language model reads the pages, and its quotes are compared with them: a value whose quote is on no page is null. It costs 3 cents for each page that was read, 2 for the page and 1 for the model; pages that were not read are free, and so is a call that fills nothing, of which each caller has 20 an hour. An answer that was cut off because it was too long costs its tokens alone, and says so in cut_off. For the text of the pages use onescrape.',
    synonyms: [
      'structured data',
      'json from page',
      'scrape fields',
      'data extraction',
      'citations',
    ],
    questions: [
      'get name, price and stock of this product as JSON',
      'fill my schema from these pages and prove each value',
      'who founded this company, with the sentence that says so?',
    ],
    ...(extractor === undefined && { unavailable: modelMissing }),
    errors: ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked'],
    input: inputSchema,
    output: outputSchema,
    check({ urls, ...wish }) {
      readUrls(urls, guard)
      extractor?.check(wish, centsToMicros(modelCents))
    },
    price: {
      cents: pageCents + modelCents,
      per: ({ urls }) => new Set(urls.map(normalizeUrl)).size,
      unit: 'URL',
      atMost: urlsMax,
      used: ({ filled_count, read_count, cut_off }) =>
        cut_off === undefined
          ? filled_count && read_count
          : (cut_off.tokens_usd * 100) / (pageCents + modelCents),
    },
    example: {
      input: {
        urls: ['https://example.com'],
        schema: { type: 'object', properties: { title: { type: 'string' } } },
      },
      cents: pageCents + modelCents,
    },
    inference: true,
    timeoutMs,
    run: (context) => extract(context, dependencies),
  })
}

async function extract(
  { input, ...context }: RunContext<z.output<typeof inputSchema>>,
  { ladder, guard, extractor, unfilled }: ExtractDependencies,
) {
  const { urls, ...wish } = input
  if (extractor === undefined) throw fail('provider_not_configured')
  const payer = context.caller.accountId
  unfilled.admit(payer)
  const rows = await ladder.read({
    ...context,
    urls: readUrls(urls, guard),
    format: 'markdown',
    // What a schema asks for may stand beside the main content.
    mainContent: false,
  })
  const pages = rows.map(describePage)
  const sources = rows.flatMap(({ url, page }) => (page ? { url, text: page.content } : []))
  if (sources.length === 0)
    throw fail('all_blocked', {
      message: `No page could be read, and nothing was charged. ${nextStep(rows)}`,
      data: { pages },
    })
  const micros = centsToMicros(modelCents * sources.length)
  const truncated = rows.some((row) => row.truncated)
  let isPaid = false
  const spend = (spent: Micros) => {
    isPaid = true
    context.spend(spent)
  }
  try {
    const found = await extractor.extract(wish, sources, micros, { ...context, spend })
    if ('cutOffBy' in found)
      return { ...describeCutOff(found, wish), pages, read_count: sources.length, truncated }
    const filled = found.basis.filter(({ value }) => value !== null).length
    if (filled === 0) unfilled.note(payer)
    return {
      data: found.data,
      evidence: found.basis.map(toEvidence),
      filled_count: filled,
      pages,
      read_count: sources.length,
      truncated: found.truncated || truncated,
      model: found.model,
      tokens_used: found.tokensUsed,
    }
  } catch (thrown) {
    if (isPaid) unfilled.note(payer)
    throw thrown
  }
}

/** Nothing was filled in, but the tokens were bought. */
function describeCutOff(
  { cutOffBy: model, spent: { micros, tokens } }: CutOff,
  { schema }: Pick<z.output<typeof inputSchema>, 'schema'>,
) {
  const message = `The answer of ${model} was longer than the price of this call pays for, and was cut off. No value is filled in. Its tokens alone are charged, ${microsToUsd(micros)} dollars. Ask for fewer fields, or of fewer pages.`
  return {
    data: readSchema(schema).complete({}),
    evidence: [],
    filled_count: 0,
    model,
    tokens_used: tokens,
    cut_off: { message, tokens_usd: micros / centsToMicros(100) },
  }
}

function describePage({ url, finalUrl, page, trouble }: LadderRow) {
  const told = trouble && { error: trouble.code, message: trouble.message }
  return { url, final_url: finalUrl, title: page?.title ?? null, read: page !== null, ...told }
}

function toEvidence({ field, status, citations: [citation] }: FieldBasis) {
  return {
    field,
    status: status === 'notFound' ? 'not_found' : status,
    url: citation?.url ?? null,
    quote: citation?.excerpt ?? null,
  }
}
