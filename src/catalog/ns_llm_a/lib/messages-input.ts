import { z } from '#core/action.ts'
import { conversation } from '../../lib/chat-fields.ts'
import { maxTokensMax } from '../../lib/model-call.ts'

export const messagesInput = z.strictObject({
  model: z.string().min(1).max(100).describe('The model, as the vendor names it.'),
  max_tokens: z.int().min(1).max(maxTokensMax).describe('The most tokens to answer with.'),
  messages: conversation('user', 'assistant'),
  system: z
    .string()
    .max(900_000)
    .optional()
    .describe('Instructions that stand above the conversation.'),
  temperature: z.number().min(0).max(1).optional().describe('How freely to choose words.'),
  stop_sequences: z.array(z.string().min(1).max(200)).max(4).optional().describe('Where to stop.'),
})
export type MessagesInput = z.output<typeof messagesInput>
