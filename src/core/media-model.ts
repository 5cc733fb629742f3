// Models that make images, video and audio: what they take and what a call costs. A price is counted in picodollars,
// which hold every published price exactly, and becomes micro-dollars once, rounded up.
import { z } from 'zod'
import type { Micros } from './money.ts'

export const mediaTypes = [
  'text_to_image',
  'image_edit',
  'text_to_video',
  'image_to_video',
  'reference_to_video',
  'audio_to_video',
  'video_edit',
  'text_to_speech',
  'music',
] as const
export type MediaType = (typeof mediaTypes)[number]

const centsMax = 100_000
const rate = z.number().min(0).max(centsMax)
const scalar = z.union([z.string(), z.number(), z.boolean()])
const of = z.strictObject({ parameter: z.string() })
const base = {
  cents: rate,
  /** The first one that fits the parameters replaces `cents`. A list accepts any of its values. */
  variants: z
    .array(
      z.strictObject({
        when: z.record(z.string(), z.union([scalar, z.array(scalar).min(1)])),
        cents: rate,
      }),
    )
    .optional(),
  /** Added for each item of a list beyond the first `above`. */
  extra: z
    .array(z.strictObject({ parameter: z.string(), above: z.int().min(0), cents: rate }))
    .optional(),
}
const times = { times: z.string().optional() }

/** The price of one call. `times` names the parameter with the number of outputs. */
export const mediaPrice = z.discriminatedUnion('per', [
  z.strictObject({ per: z.literal('call'), ...base, ...times }),
  /** 2^20 pixels, rounded up to whole megapixels for each image. */
  z.strictObject({ per: z.literal('megapixel'), ...base, size: of, ...times }),
  /** Seconds are given, or frames at a rate. */
  z.strictObject({
    per: z.literal('second'),
    ...base,
    seconds: of.optional(),
    frames: of.extend({ per_second: z.number().positive() }).optional(),
  }),
  /** A million pixels in all frames together, rounded up. */
  z.strictObject({ per: z.literal('video_megapixel'), ...base, size: of, frames: of }),
  z.strictObject({ per: z.literal('1000_characters'), ...base, text: of }),
])
export type MediaPrice = z.output<typeof mediaPrice>

export type MediaParameters = Readonly<Record<string, unknown>>

/** `embedded`: this machine runs it. */
export type MediaModelProvider = 'vendor' | 'embedded'

export interface MediaModel {
  /** The name by which callers ask for it. */
  readonly key: string
  readonly type: MediaType
  readonly title: string
  readonly provider: MediaModelProvider
  /** The vendor's address of it, as `owner/app/path`. */
  readonly endpoint: string
  /** `inline`: the response has the output. `job`: the response has a handle. */
  readonly mode: 'inline' | 'job'
  /** A JSON Schema. */
  readonly parameters: { readonly [key: string]: unknown }
  readonly price: MediaPrice
  readonly example: MediaParameters
  /** Where parameters and price were read, and when. */
  readonly source: string
  readonly date: string
}

export type MediaModels = ReadonlyMap<string, MediaModel>

const picoPerCent = 1e10
const picoPerMicro = 1e6
const pixelsPerMegapixel = 2 ** 20
const pixelsPerVideoMegapixel = 1e6

/** The exact price of a call with these parameters, which the model's schema has accepted. */
export function quoteMedia(price: MediaPrice, parameters: MediaParameters): Micros {
  const fitting = price.variants?.find(({ when }) =>
    Object.entries(when).every(([name, value]) =>
      [value].flat().includes(parameters[name] as string),
    ),
  )
  const pico = toPico(fitting?.cents ?? price.cents) * unitsOf(price, parameters)
  const extra = (price.extra ?? []).map(
    ({ parameter, above, cents }) =>
      Math.max(0, lengthOf(parameters[parameter]) - above) * toPico(cents),
  )
  return Math.ceil((Math.round(pico) + sum(extra)) / picoPerMicro)
}

const toPico = (cents: number) => Math.round(cents * picoPerCent)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0)

function unitsOf(price: MediaPrice, parameters: MediaParameters): number {
  const read = ({ parameter }: { readonly parameter: string }) => parameters[parameter]
  const count = (name: string | undefined) => (name === undefined ? 1 : Number(parameters[name]))
  switch (price.per) {
    case 'call':
      return count(price.times)
    case 'megapixel':
      return Math.ceil(pixelsOf(read(price.size)) / pixelsPerMegapixel) * count(price.times)
    case 'second':
      return price.seconds === undefined
        ? framesOf(price.frames, parameters)
        : Number.parseFloat(String(read(price.seconds)))
    case 'video_megapixel': {
      const pixels = pixelsOf(read(price.size)) * Number(read(price.frames))
      return Math.ceil(pixels / pixelsPerVideoMegapixel)
    }
    case '1000_characters':
      return [...String(read(price.text))].length / 1_000
  }
}

function framesOf(
  frames: { readonly parameter: string; readonly per_second: number } | undefined,
  parameters: MediaParameters,
): number {
  if (frames === undefined) return 1
  return Number(parameters[frames.parameter]) / frames.per_second
}

/** Sizes by name. Source: the vendor's documentation of `image_size`. */
export const mediaSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  square_hd: [1024, 1024],
  square: [512, 512],
  portrait_4_3: [768, 1024],
  portrait_16_9: [576, 1024],
  landscape_4_3: [1024, 768],
  landscape_16_9: [1024, 576],
}

function pixelsOf(size: unknown): number {
  const [width, height] =
    typeof size === 'string'
      ? (mediaSizes[size] ?? [Number.NaN, Number.NaN])
      : [(size as { width: number }).width, (size as { height: number }).height]
  return width * height
}
