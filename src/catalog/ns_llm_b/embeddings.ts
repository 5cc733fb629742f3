import { defineAction, z } from '#core/action.ts'
import { type ModelPrices, priceOfSurface, requirePrice } from '#core/model-price.ts'
import { centsToMicros } from '#core/money.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'

const models = [
  'text-embedding-3-small',
  'text-embedding-3-large',
  'text-embedding-ada-002',
] as const
type Model = (typeof models)[number]
const microsPerCent = centsToMicros(1)
const textsMax = 2_048
const textTokensMax = 8_192
/** The vendor's limit on the tokens of all texts of one call. */
const callTokensMax = 300_000

const text = z
  .string()
  .min(1)
  .max(textTokensMax * 8)
const count = z.int().min(0)

export const embeddings = (prices: ModelPrices) => {
  const used = (model: Model, promptTokens: number) =>
    priceOfSurface(requirePrice(prices, `openai/${model}`, 'embeddings'), { promptTokens }) /
    microsPerCent
  return defineAction('embeddings', {
    summary:
      'Turn texts into vectors of numbers that are near each other where their meanings are.',
    notes:
      'The price is what the tokens cost, about 0.01¢ for a page. Up to 2048 texts at once, 8192 tokens each. Compare vectors of the same model and dimensions only. To ask a model for text use ns_llm_b/chat.',
    synonyms: ['embed', 'vector', 'semantic similarity', 'openai', 'rag', 'index text'],
    questions: [
      'turn these sentences into vectors',
      'embed my documents for semantic search',
      'how alike are these two texts?',
    ],
    pay: ['mpp'],
    inference: true,
    input: z.strictObject({
      model: z.enum(models).default('text-embedding-3-small').describe('The model.'),
      input: z.union([text, z.array(text).min(1).max(textsMax)]).describe('A text, or several.'),
      dimensions: z
        .int()
        .min(1)
        .max(3_072)
        .optional()
        .describe('Shorter vectors, if not all numbers are needed.'),
      encoding_format: z.enum(['float', 'base64']).optional().describe('How to write the numbers.'),
    }),
    output: z.looseObject({
      model: z.string(),
      data: z.array(
        z.looseObject({ index: count, embedding: z.union([z.array(z.number()), z.string()]) }),
      ),
      usage: z.looseObject({ prompt_tokens: count }).describe('What is charged for.'),
    }),
    admits: async ({ model }, caller) => requireModel(caller, `openai/${model}`),
    price: {
      upToCents: ({ model, input }) => used(model, Math.min(callTokensMax, bytesOf(input))),
      atMostCents: Math.max(...models.map((model) => used(model, callTokensMax))),
      settle: ({ input, output }) => used(input.model, output.usage.prompt_tokens),
    },
    example: {
      input: { model: 'text-embedding-3-small', input: 'The food was delicious and the waiter…' },
      cents: 0.0001,
    },
    run: ({ input, http }) => http.post('/embeddings', input),
  })
}

function bytesOf(input: string | readonly string[]): number {
  return [input].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
