// The captions of a film as a clip in front of all others.

import { compositionLimits as limits } from '../composition/limits.ts'
import type { Composition } from '../composition/schema.ts'
import { framesOfFilm } from './compile.ts'

/** Longer than the id of any clip may be, so that no clip has it. */
const ownId = 'captions'.padEnd(limits.idCharacters + 1, '.')

export function withCaptions(composition: Composition): Composition {
  const { captions: props, format, tracks } = composition
  const frames = framesOfFilm(composition)
  if (props === undefined || frames === 0) return composition
  const clip = {
    id: ownId,
    startTime: 0,
    duration: frames / format.fps,
    source: { kind: 'component', componentId: 'captions', props, zPlane: 'front' },
  } as const
  return { ...composition, tracks: [...tracks, { id: ownId, kind: 'overlay', contents: [clip] }] }
}
