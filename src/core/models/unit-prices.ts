// Prices of what is not counted in tokens of text: pictures, sound, characters, searches. Whole picodollars.
import { z } from 'zod'

/** A thousand dollars. */
const unitPicoMax = 1_000_000_000_000_000
const each = z.int().min(0).max(unitPicoMax)
const rate = z.int().min(0).max(10_000_000_000)
const byQualityAndSize = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string().max(30), z.record(z.string().max(30), value))

export const unitPrices = {
  /** Tokens of pictures and of sound that it reads. Absent: the rate of its other tokens. */
  image_prompt: rate.optional(),
  audio_prompt: rate.optional(),
  /** A minute of sound. Seconds are counted; a call is rounded up to the next one. */
  minute: each.optional(),
  /** A character of text that it speaks. */
  character: each.optional(),
  /** A search: a query with up to a hundred documents. */
  search: each.optional(),
  /** A picture that it draws, by quality and size. */
  pictures: byQualityAndSize(each).optional(),
  /** The most tokens of such a picture, where they are charged at the rate of the completion. */
  picture_tokens: byQualityAndSize(z.int().min(1).max(1_000_000)).optional(),
  /** The most texts of one call, and the most tokens of all of them. */
  inputs: z.int().min(1).max(100_000).optional(),
  input_tokens: z.int().min(1).max(100_000_000).optional(),
} as const

interface SoldUnits {
  readonly surface?: string | undefined
  readonly prompt: number
  readonly completion: number
  readonly minute?: number | undefined
  readonly character?: number | undefined
  readonly search?: number | undefined
  readonly audio_prompt?: number | undefined
  readonly pictures?: object | undefined
  readonly picture_tokens?: object | undefined
}

/** Whether a price says what its surface costs. What is not priced is not sold. */
export function sellsItsSurface(price: SoldUnits): boolean {
  switch (price.surface) {
    case 'images':
      return price.pictures !== undefined || price.picture_tokens !== undefined
    case 'speech':
      return price.character !== undefined || price.completion > 0
    case 'transcriptions':
      return price.minute !== undefined || price.audio_prompt !== undefined
    case 'rerank':
      return price.search !== undefined || price.prompt > 0
    default:
      return true
  }
}
