// Seals of thoughts in the hands of callers. A surface that has one text for a seal, such as a signature, writes the
// seal's maker and model into it, so that the thought is given back only to the model that made it.
import { z } from 'zod'
import type { ThoughtSeal, WireName } from './answer-event.ts'

const prefix = 'tollway.'
const tag = z.strictObject({
  maker: z.enum(['chat', 'anthropic', 'responses', 'gemini']),
  model: z.string().max(200).optional(),
  id: z.string().max(500).optional(),
  hidden: z.boolean().optional(),
})

export function sealToText({ data, ...made }: ThoughtSeal): string {
  return `${prefix}${Buffer.from(JSON.stringify(made)).toString('base64url')}.${data}`
}

/** Undefined for a text that no gateway wrote. */
export function readSeal(text: unknown): ThoughtSeal | undefined {
  if (typeof text !== 'string' || !text.startsWith(prefix)) return undefined
  const end = text.indexOf('.', prefix.length)
  try {
    const made = JSON.parse(Buffer.from(text.slice(prefix.length, end), 'base64url').toString())
    return { ...tag.parse(made), data: text.slice(end + 1) }
  } catch {
    return undefined
  }
}

/** A text that no gateway wrote is the seal of a model behind the wire `maker`. */
export const sealFromText = (text: string, maker: WireName): ThoughtSeal =>
  readSeal(text) ?? { maker, data: text }
