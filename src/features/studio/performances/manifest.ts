// What the operator writes about the film material: `manifest.json` in PERFORMANCES_DIR.
import { z } from 'zod'
import { keysOf, recordOf } from '#core/input/records.ts'

/** The variants of a film, with their exact length. Source: spec, "Media jobs". */
export const secondsOf = { standard: 7, extended: 29 } as const
export type Variant = keyof typeof secondsOf
export const variants = keysOf(secondsOf)

/** The performers that a film can replace. */
export const slotsOf = { performance: ['left', 'right'], lead: ['lead'] } as const
export type Production = keyof typeof slotsOf
export type Slot = (typeof slotsOf)[Production][number]

const shotsMax = 10
const promptCharactersMax = 6_000

/** A file in the folder of the manifest. */
const file = z.string().regex(/^\w[\w.-]{0,99}$/, 'must be the plain name of a file in the folder')

/** A model of ns_media/generate, and its parameters: a template that is filled in for each generation. */
const generation = z.strictObject({
  model: z.string().min(1),
  /** Comes before the caller's prompt. */
  prompt: z.string().max(promptCharactersMax).default(''),
  parameters: z.record(z.string(), z.unknown()),
})
export type Generation = z.output<typeof generation>

const shot = z.strictObject({
  seconds: z.number().positive(),
  keyframe: file,
  /** Added to the parameters of the video model. */
  parameters: z.record(z.string(), z.unknown()).default({}),
})

const film = <Name extends Slot>(slots: readonly [Name, ...Name[]]) =>
  z.strictObject({
    base: file,
    soundtrack: file,
    /** White where the performer is replaced, black where the base clip stays. */
    masks: z.strictObject(recordOf(slots, () => file)),
    /** Generated one by one. Together they are as long as the film. */
    shots: z.array(shot).min(1).max(shotsMax),
  })

const filmsOf = <Name extends Slot>(slots: readonly [Name, ...Name[]]) =>
  z.strictObject({ standard: film(slots).optional(), extended: film(slots).optional() }).optional()

export const manifest = z.strictObject({
  references: generation,
  video: generation,
  performance: filmsOf(slotsOf.performance),
  lead: filmsOf(slotsOf.lead),
})
export type Manifest = z.output<typeof manifest>
export type FilmEntry = Omit<z.output<ReturnType<typeof film>>, 'masks'> & {
  readonly masks: Partial<Record<Slot, string>>
}
