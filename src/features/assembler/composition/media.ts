// Media as a composition sees them.

/** What a file is, by its own streams. */
export interface ProbedMedia {
  readonly kind: 'video' | 'audio' | 'image'
  /** Null for images. */
  readonly durationSeconds: number | null
  /** As shown: turned if the file says so, with square pixels. Null without a picture. */
  readonly width: number | null
  readonly height: number | null
  readonly frameRate: number | null
  readonly hasSound: boolean
  readonly hasTransparency: boolean
  /** Whether the file names the matrix of its colours. */
  readonly hasColorMatrix: boolean
}

export type MediaState =
  | { readonly status: 'ready'; readonly probe: ProbedMedia }
  | { readonly status: 'processing' }
  | { readonly status: 'failed'; readonly message: string }

export type MediaById = ReadonlyMap<string, MediaState>
