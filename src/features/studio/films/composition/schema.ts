// The composition as it is on the wire. Times are seconds; places and sizes are fractions of the frame, from its top
// left corner; angles are degrees, clockwise.
import { z } from 'zod'
import { places } from '../components/drawing.ts'
import { compositionLimits as limits } from './limits.ts'
import { type SafeArea, safeAreaSchema } from './safe-area.ts'

const aspectRatios = ['16:9', '9:16', '1:1', '4:5'] as const
const frameRates = [24, 30, 60] as const
const resolutions = ['hd', 'fhd', '4k'] as const

const id = z.string().min(1).max(limits.idCharacters)
const fraction = z.number().min(0).max(1)
const seconds = z.number().min(0).max(86_400)
const point = z.strictObject({ x: fraction, y: fraction })

export const formatSchema = z.strictObject({
  aspectRatio: z.enum(aspectRatios).describe('Width to height of the film.'),
  fps: z.literal(frameRates).default(30).describe('Frames per second.'),
  resolution: z
    .enum(resolutions)
    .default('fhd')
    .describe('Pixels of the shorter side: hd 720, fhd 1080, 4k 2160.'),
  platform: z.string().max(limits.idCharacters).optional().describe('A note. It changes nothing.'),
})

export const kenBurnsAmount = 0.15
const kenBurnsMoves = ['in', 'out', 'left', 'right', 'up', 'down'] as const

/** A union tells in one sentence what fits, since the reasons of its members contradict each other. */
const oneOf = <const Members extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(
  members: Members,
  fix: string,
) => z.union(members, { error: fix })

const kenBurns = oneOf(
  [
    z.enum(kenBurnsMoves),
    z.strictObject({
      direction: z.enum(kenBurnsMoves),
      amount: z.number().min(0.02).max(0.5).default(kenBurnsAmount).describe('How much it moves.'),
    }),
  ],
  `Set kenBurns to one of ${kenBurnsMoves.join(', ')}, or to {"direction": "in", "amount": ${kenBurnsAmount}} with an amount of 0.02 to 0.5.`,
)

const reframeFocus = oneOf(
  [
    point,
    z.strictObject({ mode: z.literal('point'), x: fraction, y: fraction }),
    z.strictObject({ mode: z.literal('point').optional(), point }),
    z.strictObject({ mode: z.enum(['frame-center', 'face']) }),
    z.enum(['frame-center', 'face']),
  ],
  'Set focus to {"mode": "frame-center"}, or to {"mode": "point", "x": 0.5, "y": 0.5} with fractions of 0 to 1.',
)

const reframeSegment = z.strictObject({
  startSec: seconds.describe('Seconds from the start of the clip.'),
  endSec: seconds,
  zoom: z
    .number()
    .min(0.1)
    .max(1)
    .default(1)
    .describe('The fraction of the frame that is visible.'),
  focus: reframeFocus.default('frame-center'),
  ease: z
    .strictObject({ in: seconds.default(0), out: seconds.default(0) })
    .partial()
    .optional()
    .describe('Seconds in which the camera moves into and out of this segment.'),
  bias: z
    .strictObject({ x: z.number().min(-0.3).max(0.3), y: z.number().min(-0.3).max(0.3) })
    .partial()
    .optional()
    .describe('Moves the focus, in fractions of the visible frame.'),
  intent: z.string().max(limits.textCharacters).optional().describe('A note. It changes nothing.'),
})

const mediaSource = z.strictObject({
  kind: z.literal('media'),
  mediaId: id,
  trim: z.strictObject({ start: seconds, end: seconds }).optional(),
  excludedRanges: z
    .array(
      z.strictObject({
        start: seconds,
        end: seconds,
        reason: z.string().max(limits.textCharacters).optional(),
      }),
    )
    .max(limits.excludedRanges)
    .optional()
    .describe('Seconds of the media that are cut out.'),
  volume: z.number().min(0).max(4).optional().describe('1 is as recorded.'),
  volumeDb: z.number().min(-60).max(12).optional().describe('Added to volume, in decibels.'),
  volumeCurve: z
    .array(
      z.strictObject({
        atSec: seconds.describe('Seconds from the start of the clip.'),
        volume: z.number().min(0).max(4),
      }),
    )
    .min(1)
    .max(limits.curvePoints)
    .optional()
    .describe(
      'Points of a volume that changes, in order. It multiplies volume; decibels move in straight lines.',
    ),
  muted: z.boolean().optional(),
  loop: z.boolean().optional(),
  fadeInMs: z.number().min(0).max(60_000).optional().describe('Fades the sound.'),
  fadeOutMs: z.number().min(0).max(60_000).optional(),
  playbackRate: z.number().min(0.25).max(4).optional(),
  kenBurns: kenBurns.optional(),
  reframe: z
    .strictObject({ segments: z.array(reframeSegment).min(1).max(limits.reframeSegments) })
    .optional(),
  sync: z.string().max(limits.idCharacters).optional().describe('A note. It changes nothing.'),
  audioRole: z.string().max(limits.idCharacters).optional().describe('A note. It changes nothing.'),
})

const values = z.record(z.string(), z.unknown())

const componentSource = z.strictObject({
  kind: z.literal('component'),
  componentId: id,
  props: values.default({}),
  zPlane: z.string().max(limits.idCharacters).optional(),
})

const effectUse = z.strictObject({ primitiveId: id, params: values.default({}) })

const effectSource = z.strictObject({ kind: z.literal('effect'), ...effectUse.shape })

const overlaySource = z.strictObject({
  kind: z.literal('overlay'),
  ...effectUse.shape,
  zPlane: z
    .string()
    .max(limits.idCharacters)
    .optional()
    .describe('front: above all tracks. back: beneath all tracks. Default: its track.'),
  anchor: z.enum(places).optional().describe('The point of the picture that lies at position.'),
  parallax: z
    .number()
    .min(-1)
    .max(1)
    .optional()
    .describe('How far it follows the camera of the picture beneath: 0 not, 1 wholly.'),
})

export const transitionTypes = [
  'fade',
  'crossfade',
  'dissolve',
  'wipe-left',
  'wipe-right',
  'wipe-up',
  'wipe-down',
  'slide-left',
  'slide-right',
  'slide-up',
  'slide-down',
  'circle',
  'radial',
  'pixelize',
] as const

export const transitionMs = 500

const transitionIn = oneOf(
  [
    z.enum(transitionTypes),
    z.strictObject({
      type: z.enum(transitionTypes),
      durationMs: z.number().min(1).max(10_000).default(transitionMs),
    }),
  ],
  `Set transitionIn to {"type": "crossfade", "durationMs": ${transitionMs}}. Types: ${transitionTypes.join(', ')}. A transition lasts 1 to 10000 ms.`,
)

export const clipSchema = z.strictObject({
  id,
  kind: z
    .enum(['video', 'audio', 'image', 'overlay', 'effect'])
    .optional()
    .describe('A note; the track decides.'),
  name: z.string().max(limits.textCharacters).optional(),
  startTime: seconds,
  duration: z.number().positive().max(limits.filmSeconds),
  source: z.discriminatedUnion('kind', [mediaSource, componentSource, effectSource, overlaySource]),
  opacity: fraction.optional(),
  scale: z.number().min(0.01).max(10).optional(),
  rotation: z.number().min(-3_600).max(3_600).optional(),
  position: z
    .strictObject({ x: z.number().min(-2).max(3), y: z.number().min(-2).max(3) })
    .optional()
    .describe('Where the centre of the clip is. Default: the centre of its region.'),
  region: z
    .strictObject({
      x: z.number().min(-1).max(1),
      y: z.number().min(-1).max(1),
      w: z.number().min(0.01).max(2),
      h: z.number().min(0.01).max(2),
    })
    .optional()
    .describe('The rectangle of the frame that the clip fills. Default: the whole frame.'),
  fit: z
    .enum(['cover', 'contain', 'fill'])
    .optional()
    .describe('How media fill their region. Default: cover.'),
  effects: z.array(effectUse).max(limits.effectsOfClip).optional(),
  transitionIn: transitionIn.optional(),
})

export const duckSchema = z.strictObject({
  under: z
    .array(id)
    .min(1)
    .max(limits.tracks)
    .describe('Ids of the tracks with speech, while which this track is lowered.'),
  byLu: z
    .number()
    .min(3)
    .max(40)
    .default(12)
    .describe('Loudness units that the speech is above this track, at least. Both are measured.'),
})

export const loudnessSchema = z.strictObject({
  targetLufs: z
    .number()
    .min(-36)
    .max(-9)
    .default(-14)
    .describe('Integrated loudness of the whole film by EBU R 128, to within 0.5.'),
})

export const trackKinds = ['video', 'audio', 'image', 'overlay', 'effect'] as const

/** The composition without its clips, which are read one by one. */
export const frameSchema = z.looseObject({
  v: z.literal(1),
  format: formatSchema,
  tracks: z.array(z.unknown()).max(limits.tracks),
  loudness: loudnessSchema.optional(),
  captions: z.unknown().optional(),
  safeArea: safeAreaSchema.optional(),
})

export const trackSchema = z.strictObject({
  id,
  kind: z.enum(trackKinds),
  name: z.string().max(limits.textCharacters).optional(),
  enabled: z.boolean().optional().describe('False: the track is left out.'),
  duck: duckSchema.optional().describe('Lowers the sound of this track while others speak.'),
  contents: z.array(z.unknown()),
})

export type Format = z.output<typeof formatSchema>
export type Clip = z.output<typeof clipSchema>
export type ClipSource = Clip['source']
export type MediaSource = Extract<ClipSource, { kind: 'media' }>
export type ReframeSegment = z.output<typeof reframeSegment>
export type EffectUse = z.output<typeof effectUse>
export type Track = Omit<z.output<typeof trackSchema>, 'contents'> & { readonly contents: Clip[] }

export interface Composition {
  readonly v: 1
  readonly format: Format
  /** From the back to the front. */
  readonly tracks: readonly Track[]
  readonly loudness?: z.output<typeof loudnessSchema> | undefined
  readonly safeArea?: SafeArea | undefined
  /** As they were sent. They have been checked. */
  readonly captions?: Readonly<Record<string, unknown>> | undefined
}
