// Which clip a film went wrong at, as a sentence for its caller.
import { clipsOf } from '../composition/composition.ts'
import type { Clip, Composition } from '../composition/schema.ts'

/** The clip that plays when the film ends too early; the one before it where none does. */
export function clipAt(composition: Composition, seconds: number): string {
  const clips = mediaClipsOf(composition)
  const playing = clips.find(
    ({ startTime, duration }) => startTime <= seconds && seconds < startTime + duration,
  )
  const clip = playing ?? clips.findLast(({ startTime }) => startTime <= seconds) ?? clips[0]
  return clip === undefined ? '' : nameOf(clip)
}

/** The first clip of these media. */
export function clipOfMedia(composition: Composition, mediaId: string): string | undefined {
  const clip = mediaClipsOf(composition).find(
    ({ source }) => source.kind === 'media' && source.mediaId === mediaId,
  )
  return clip && nameOf(clip)
}

const mediaClipsOf = (composition: Composition) =>
  clipsOf(composition)
    .filter(({ source }) => source.kind === 'media')
    .toSorted((one, other) => one.startTime - other.startTime)

function nameOf({ id, startTime, duration, source }: Clip): string {
  const mediaId = source.kind === 'media' ? source.mediaId : ''
  const end = Math.round((startTime + duration) * 1_000) / 1_000
  return `Look at the clip ${id}, which shows the medium ${mediaId} from ${startTime} s to ${end} s.`
}
