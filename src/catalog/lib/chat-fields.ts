import { z } from '#core/action.ts'
import type { TokenUsage } from '#core/model-price.ts'
import { maxTokensMax } from './model-call.ts'

const text = z.string().max(900_000)

export function conversation<Role extends string>(...roles: [Role, ...Role[]]) {
  const part = z.strictObject({ type: z.literal('text'), text })
  const content = z.union([text, z.array(part).min(1).max(256)])
  return z
    .array(z.strictObject({ role: z.enum(roles), content }))
    .min(1)
    .max(1_000)
    .describe('The conversation so far, oldest first.')
}

/** A text chat in the common format. */
export const chatInput = {
  messages: conversation('system', 'developer', 'user', 'assistant'),
  max_tokens: z
    .int()
    .min(1)
    .max(maxTokensMax)
    .optional()
    .describe('The most tokens to answer with. Default 4096, or what a dollar pays for.'),
  temperature: z.number().min(0).max(2).optional().describe('How freely to choose words.'),
  top_p: z.number().min(0).max(1).optional().describe('Which part of the likely words to use.'),
  stop: z.array(z.string().min(1).max(200)).max(4).optional().describe('Where to stop.'),
  seed: z.int().optional().describe('The same seed tends to give the same answer.'),
}

const count = z.int().min(0)
const tokenCounts = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count.optional(),
  prompt_tokens_details: z
    .looseObject({ cached_tokens: count.nullish(), cache_write_tokens: count.nullish() })
    .nullish(),
  cost: z.number().min(0).optional(),
})

/** A completion in the common format. Other fields of the vendor pass through. */
export const chatOutput = z.looseObject({
  provider: z.string().optional().describe('Who served.'),
  id: z.string().optional(),
  model: z.string().describe('The model that answered.'),
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: tokenCounts.describe('What is charged for.'),
})

export type ChatInput = { readonly model: string } & z.output<z.ZodObject<typeof chatInput>>

/** The fields that bound the cost of a chat. */
export const chatCallOf = ({
  messages,
  max_tokens: maxTokens,
}: Pick<ChatInput, 'messages' | 'max_tokens'>) => ({
  prompt: messages,
  messages: messages.length,
  maxTokens,
})

export function readCounts(usage: z.output<typeof tokenCounts>): TokenUsage {
  return {
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cacheReadTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
  }
}
