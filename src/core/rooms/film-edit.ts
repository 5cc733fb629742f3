// What the assembler offers to others: it makes the composition of a film from a list of edits.

export interface FilmFormat {
  readonly aspectRatio: '16:9' | '9:16' | '1:1' | '4:5'
  readonly fps: 24 | 30 | 60
  readonly resolution: 'hd' | 'fhd' | '4k'
}

/** A place in the picture that the camera moves to. */
export interface EmphasisPoint {
  /** Seconds from the start of the segment. */
  readonly atSeconds: number
  /** Fractions of the picture, from its top left corner. */
  readonly x: number
  readonly y: number
  /** The fraction of the picture that is visible, 0.1 to 1. */
  readonly zoom: number
}

/** One asset in the film. They follow each other in the order of the list. */
export interface FilmSegment {
  readonly mediaId: string
  readonly kind: 'video' | 'image'
  /** Of a video. Absent: not known, and taken to be long enough. */
  readonly mediaSeconds?: number | undefined
  /** Seconds of the video that may be shown. Default: all of it. */
  readonly inSeconds?: number | undefined
  readonly outSeconds?: number | undefined
  /** Whether it is known to be silent. */
  readonly isSilent?: boolean | undefined
  readonly emphasis?: readonly EmphasisPoint[] | undefined
  readonly caption?: string | undefined
}

export interface FilmEdit {
  readonly format: FilmFormat
  readonly segments: readonly FilmSegment[]
  /** Of the whole film. */
  readonly targetSeconds: number
  /** Between segments. Default: hard cuts. */
  readonly transition?: 'crossfade' | 'fade' | 'wipe-left' | 'slide-left' | undefined
  readonly music?:
    | { readonly mediaId: string; readonly mediaSeconds?: number | undefined }
    | undefined
}

export interface ComposedFilm {
  /** As ns_assembler/put_composition takes it. */
  readonly composition: Readonly<Record<string, unknown>>
  /** Media that the film leaves out, because it is too short for all of them. */
  readonly left: readonly string[]
  /** What the assembler's own validation finds. Empty: it is valid. */
  readonly problems: readonly {
    readonly path: string
    readonly message: string
    readonly fix: string
  }[]
}

export type ComposeFilm = (edit: FilmEdit) => ComposedFilm
