// The effect primitives: what ffmpeg filters do to a clip, or to everything beneath an effect track.
import { z } from 'zod'
import { keysOf } from '#core/input/records.ts'

export interface EffectPrimitive {
  readonly id: string
  readonly summary: string
  readonly params: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
  /** Filters for a picture that is `height` pixels high. They keep its size. */
  readonly filters: (params: never, height: number) => readonly string[]
}

const effect = <Params extends z.ZodObject>(declared: {
  readonly id: string
  readonly summary: string
  readonly params: Params
  readonly example: Readonly<Record<string, unknown>>
  readonly filters: (params: z.output<Params>, height: number) => readonly string[]
}): EffectPrimitive => declared

const strength = (usual: number) => z.number().min(0).max(1).default(usual)
const signed = z.number().min(-1).max(1).default(0)
const fixed = (number: number) => String(Number(number.toFixed(4)))

const grades = {
  neutral: {},
  cinematic: { contrast: 1.12, saturation: 0.86, warmth: 0.05, lift: -0.02 },
  warm: { contrast: 1.03, saturation: 1.06, warmth: 0.12, lift: 0 },
  cool: { contrast: 1.03, saturation: 0.98, warmth: -0.12, lift: 0 },
  vivid: { contrast: 1.1, saturation: 1.4, warmth: 0, lift: 0 },
  faded: { contrast: 0.86, saturation: 0.72, warmth: 0.03, lift: 0.05 },
  noir: { contrast: 1.3, saturation: 0, warmth: 0, lift: -0.03 },
} as const satisfies Record<
  string,
  { contrast?: number; saturation?: number; warmth?: number; lift?: number }
>
const gradeNames = keysOf(grades)

export const effects: readonly EffectPrimitive[] = [
  effect({
    id: 'blur',
    summary: 'Blurs.',
    params: z.strictObject({ intensity: strength(0.3) }),
    example: { intensity: 0.5 },
    filters: ({ intensity }, height) => [`gblur=sigma=${fixed((intensity * height) / 20)}:steps=2`],
  }),
  effect({
    id: 'pixelate',
    summary: 'Shows large squares, which hides what is seen.',
    params: z.strictObject({ intensity: strength(0.5) }),
    example: { intensity: 0.6 },
    filters({ intensity }, height) {
      const side = Math.max(2, Math.round((intensity * height) / 10))
      return [`pixelize=w=${side}:h=${side}`]
    },
  }),
  effect({
    id: 'grayscale',
    summary: 'Takes the colours away.',
    params: z.strictObject({ intensity: strength(1) }),
    example: {},
    filters: ({ intensity }) => [`hue=s=${fixed(1 - intensity)}`],
  }),
  effect({
    id: 'sepia',
    summary: 'The brown of old photographs.',
    params: z.strictObject({ intensity: strength(1) }),
    example: { intensity: 0.8 },
    filters: ({ intensity }) => [
      `hue=s=${fixed(1 - intensity)}`,
      `lutyuv=u=clip(val-${fixed(20 * intensity)}\\,0\\,255):v=clip(val+${fixed(16 * intensity)}\\,0\\,255)`,
    ],
  }),
  effect({
    id: 'vignette',
    summary: 'Darkens the corners.',
    params: z.strictObject({ intensity: strength(0.4) }),
    example: { intensity: 0.3 },
    filters: ({ intensity }) => [`vignette=angle=${fixed(0.05 + intensity * 1.1)}`],
  }),
  effect({
    id: 'adjust',
    summary: 'Brightness, contrast, saturation and gamma.',
    params: z.strictObject({
      brightness: signed.describe('-1 is black, 0 unchanged, 1 white.'),
      contrast: z.number().min(0).max(3).default(1),
      saturation: z.number().min(0).max(3).default(1),
      gamma: z.number().min(0.2).max(5).default(1),
    }),
    example: { brightness: 0.05, contrast: 1.1 },
    filters: ({ brightness, contrast, saturation, gamma }) => [
      `eq=brightness=${fixed(brightness)}:contrast=${fixed(contrast)}:saturation=${fixed(saturation)}:gamma=${fixed(gamma)}`,
    ],
  }),
  effect({
    id: 'temperature',
    summary: 'Makes the light warmer or colder.',
    params: z.strictObject({ warmth: signed.describe('-1 is blue, 1 is orange.') }),
    example: { warmth: 0.4 },
    filters: ({ warmth }) => [warming(warmth)],
  }),
  effect({
    id: 'color-grade',
    summary: 'A look: contrast, saturation and warmth together.',
    params: z.strictObject({
      preset: z.enum(gradeNames).default('cinematic'),
      temperature: z.number().min(-10).max(10).default(0),
      intensity: strength(1),
    }),
    example: { preset: 'cinematic', intensity: 0.6 },
    filters({ preset, temperature, intensity }) {
      const grade: { contrast?: number; saturation?: number; warmth?: number; lift?: number } =
        grades[preset]
      const { contrast = 1, saturation = 1, warmth = 0, lift = 0 } = grade
      const part = (value: number) => fixed(1 + (value - 1) * intensity)
      return [
        `eq=contrast=${part(contrast)}:saturation=${part(saturation)}:brightness=${fixed(lift * intensity)}`,
        warming(warmth * intensity + temperature / 40),
      ]
    },
  }),
  effect({
    id: 'sharpen',
    summary: 'Makes edges clearer.',
    params: z.strictObject({ intensity: strength(0.5) }),
    example: {},
    filters: ({ intensity }) => [`unsharp=5:5:${fixed(intensity * 1.5)}:5:5:0`],
  }),
  effect({
    id: 'grain',
    summary: 'The grain of film.',
    params: z.strictObject({ intensity: strength(0.3) }),
    example: { intensity: 0.2 },
    filters: ({ intensity }) => [`noise=c0s=${Math.round(intensity * 40)}:c0f=t+u`],
  }),
  effect({
    id: 'invert',
    summary: 'Turns the picture into its negative.',
    params: z.strictObject({}),
    example: {},
    filters: () => ['lutyuv=y=maxval+minval-val:u=maxval+minval-val:v=maxval+minval-val'],
  }),
]

/** In YUV, since a filter that works in RGB would convert each frame twice: orange has less blue and more red. */
function warming(warmth: number): string {
  const shift = fixed(warmth * 40)
  return `lutyuv=u=clip(val-${shift}\\,0\\,255):v=clip(val+${shift}\\,0\\,255)`
}
