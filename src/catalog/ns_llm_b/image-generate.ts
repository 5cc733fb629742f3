import { defineAction, z } from '#core/action.ts'
import { callCentsMax, modelTerms, usedCents } from '../lib/model-call.ts'

/** Micro-dollars per million tokens: text read, picture written. Source: the vendor's price list. */
const models = {
  'gpt-image-1': { prompt: 5_000_000, completion: 40_000_000 },
  'gpt-image-1-mini': { prompt: 2_000_000, completion: 8_000_000 },
} as const
type Model = keyof typeof models

/** Tokens of one picture by quality and shape. Source: the vendor's guide to picture generation. */
const pictureTokens = {
  low: { '1024x1024': 272, '1024x1536': 408, '1536x1024': 400 },
  medium: { '1024x1024': 1_056, '1024x1536': 1_584, '1536x1024': 1_568 },
  high: { '1024x1024': 4_160, '1024x1536': 6_240, '1536x1024': 6_208 },
} as const
const promptCharactersMax = 4_000
const picturesMax = 3
/** The prompt, including the vendor's additions. */
const promptOverheadTokens = 100

const nothingCached = { cacheReadTokens: 0, cacheWriteTokens: 0 }

const count = z.int().min(0)
const counted = (model: Model, promptTokens: number, completionTokens: number) =>
  usedCents(models[model], { promptTokens, completionTokens, ...nothingCached })

export const imageGenerate = defineAction('image-generate', {
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
    model: z
      .enum(Object.keys(models) as [Model])
      .default('gpt-image-1')
      .describe('The model.'),
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
  price: {
    upToCents: ({ model, prompt, quality, size, n }) =>
      counted(
        model,
        Buffer.byteLength(prompt) + promptOverheadTokens,
        n * pictureTokens[quality][size],
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
