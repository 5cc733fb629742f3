// The film material that passed the check at the start.
import type { Generation, Slot, Variant } from './manifest.ts'

export interface Rate {
  /** As ffmpeg writes it: `30000/1001`. */
  readonly text: string
  readonly perSecond: number
}

/** A still picture or a film. */
export interface Mask {
  readonly file: string
  readonly isStill: boolean
}

/** A part of the film that is generated at once. */
export interface Shot {
  readonly firstFrame: number
  readonly frames: number
  readonly seconds: number
  readonly keyframe: string
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface Material {
  readonly variant: Variant
  /** Holds the files below. */
  readonly folder: string
  readonly base: {
    readonly file: string
    readonly width: number
    readonly height: number
    /** As ffmpeg names it. Undefined if the file does not say. */
    readonly colorMatrix: string | undefined
  }
  readonly rate: Rate
  readonly frames: number
  readonly soundtrack: string
  readonly masks: ReadonlyMap<Slot, Mask>
  readonly shots: readonly Shot[]
}

/** How the films of one action are made. */
export interface Recipe {
  readonly references: Generation
  readonly video: Generation
  readonly films: ReadonlyMap<Variant, Material>
}

/** What the video model made, as the box sees it. */
export interface GeneratedClip {
  readonly place: string
  readonly colorMatrix: string | undefined
}
