// Media as a composition sees them.

/** What a file is, by its own streams. */
export interface ProbedMedia {
  readonly kind: 'video' | 'audio' | 'image'
  /** Of the longer one of picture and sound, as they were found and not as the file's header says. Null for images. */
  readonly durationSeconds: number | null
  /** Absent for images and sounds, and for media that were imported before it was looked for. */
  readonly pictures?: PictureSpan
  /** As shown: turned if the file says so, with square pixels. Null without a picture. */
  readonly width: number | null
  readonly height: number | null
  readonly frameRate: number | null
  readonly hasSound: boolean
  readonly hasTransparency: boolean
  /** Whether the file names the matrix of its colours. */
  readonly hasColorMatrix: boolean
}

/** Where the pictures of a video lie, which may be fewer than its sound lasts. In seconds of the media. */
export interface PictureSpan {
  readonly firstSeconds: number
  /** The last picture that can be decoded. */
  readonly lastSeconds: number
  /** The longest time from one picture to the next. */
  readonly gapSecondsMax: number
}

export type MediaState =
  | { readonly status: 'ready'; readonly probe: ProbedMedia }
  | { readonly status: 'processing' }
  | { readonly status: 'failed'; readonly message: string }

export type MediaById = ReadonlyMap<string, MediaState>
