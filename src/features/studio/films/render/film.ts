// What renders films, as the rest of the gateway sees it.
import type { ProbedMedia } from '../composition/media.ts'
import type { Composition } from '../composition/schema.ts'

/** A file of this machine that a composition may name. The renderer reads it and changes nothing. */
export interface MediaFile {
  readonly path: string
  readonly probe: ProbedMedia
}

export interface FilmWish {
  /** Only what `keepValid` kept. */
  readonly composition: Composition
  /** By media id: all that the composition names. */
  readonly media: ReadonlyMap<string, MediaFile>
  /** A preview is small and quick, with the same frames in time. */
  readonly intent: 'preview' | 'final'
  /** Stops the render. */
  readonly signal: AbortSignal
  /** Called with 0 to 100, never with less than before. */
  readonly report?: (percent: number) => void
  /** Pixels of the shorter side, instead of what the format says. */
  readonly shortSide?: number
  /** Default: mp4. */
  readonly form?: 'mp4' | 'gif'
}

export interface StillWish
  extends Pick<FilmWish, 'composition' | 'media' | 'signal' | 'shortSide'> {
  /** The last frame, if it lies after the end. */
  readonly atSeconds: number
}

/** A PNG. */
export interface FilmStill {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  /** Of the frame that it shows. */
  readonly atSeconds: number
}

/** An MP4 with H.264 and AAC, whose index is at its start; or a GIF. */
export interface Film {
  readonly path: string
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly frames: number
  readonly durationSeconds: number
  /** Removes the file. */
  remove(): Promise<void>
}

export interface FilmRenderer {
  /** What the operator must do before films can be rendered here; undefined if nothing. */
  missing(): Promise<string | undefined>
  /** Throws FilmFailure, or the reason of `signal`. */
  render(wish: FilmWish): Promise<Film>
  /** Throws as `render` does. */
  still(wish: StillWish): Promise<FilmStill>
  /** What a file is. Throws FilmFailure if it is not a picture, a video or a sound that can be read. */
  probe(path: string, signal: AbortSignal): Promise<ProbedMedia>
}

/** The message is for the caller. */
export class FilmFailure extends Error {
  /** Whether the same film may succeed later. */
  readonly isRetryable: boolean

  constructor(
    message: string,
    { isRetryable = false, cause }: { isRetryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'FilmFailure'
    this.isRetryable = isRetryable
  }
}
