import { defineAction, z } from '#core/action.ts'
import { type ModelPrices, priceOfSurface, requirePrice } from '#core/model-price.ts'
import { centsToMicros } from '#core/money.ts'
import { requireModel } from '#core/pricing/model-pattern.ts'
import { callCentsMax, modelTerms } from '../lib/model-call.ts'

const models = ['gpt-image-1', 'gpt-image-1-mini'] as const
type Model = (typeof models)[number]
const microsPerCent = centsToMicros(1)
const promptCharactersMax = 4_000
const picturesMax = 3
/** The most tokens of a picture, should the price not say how many its size has. */
const pictureTokensMax = 6_240
/** The prompt, including the vendor's additions. */
const promptOverheadTokens = 100

const count = z.int().min(0)

export const imageGenerate = (prices: ModelPrices) => {
  const priceOf = (model: Model) => requirePrice(prices, `openai/${model}`, 'images')
  const counted = (model: Model, promptTokens: number, completionTokens: number) =>
    priceOfSurface(priceOf(model), { promptTokens, completionTokens }) / microsPerCent
  return defineAction('image-generate', {
    summary: 'Draw a picture from a description.',
    notes:
      'About 5¢ for one square picture of medium quality; the price is what its tokens cost, at most one dollar. The picture comes as base64. Descriptions that the vendor’s content check declines cost nothing. For text use ns_llm_b/chat.',
    synonyms: ['image', 'picture', 'draw', 'illustration', 'dall-e', 'openai', 'text to image'],
    questions: [
      'draw a picture of a red bicycle',
      'make an image from this prompt',
      'create an illustration for my article',
    ],
    ...modelTerms,
    errors: ['content_policy_violation'] as const,
    input: z.strictObject({
      prompt: z.string().trim().min(1).max(promptCharactersMax).describe('What to draw.'),
      model: z.enum(models).default('gpt-image-1').describe('The model.'),
      size: z
        .enum(['1024x1024', '1024x1536', '1536x1024'])
        .default('1024x1024')
        .describe('Width and height.'),
      quality: z.enum(['low', 'medium', 'high']).default('medium').describe('How fine.'),
      n: z.int().min(1).max(picturesMax).default(1).describe('How many pictures.'),
      background: z.enum(['auto', 'opaque', 'transparent']).optional().describe('What is behind.'),
      output_format: z.enum(['png', 'jpeg', 'webp']).optional().describe('The file format.'),
    }),
    output: z.looseObject({
      created: z.int().optional(),
      data: z.array(z.looseObject({ b64_json: z.string() })).min(1),
      usage: z
        .looseObject({ input_tokens: count, output_tokens: count })
        .describe('What is charged for.'),
    }),
    admits: async ({ model }, caller) => requireModel(caller, `openai/${model}`),
    price: {
      upToCents: ({ model, prompt, quality, size, n }) =>
        counted(
          model,
          Buffer.byteLength(prompt) + promptOverheadTokens,
          n * (priceOf(model).picture_tokens?.[quality]?.[size] ?? pictureTokensMax),
        ),
      atMostCents: callCentsMax,
      settle: ({ input, output: { usage } }) =>
        counted(input.model, usage.input_tokens, usage.output_tokens),
    },
    example: {
      input: { prompt: 'A children’s book drawing of a vet listening to an otter' },
      cents: 4.303,
    },
    run: ({ input, http }) => http.post('/images/generations', input),
  })
}
