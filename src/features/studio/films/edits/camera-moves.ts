// How the camera moves over a segment: to the points of emphasis, or slowly over a still picture.
import type { EmphasisPoint, FilmSegment } from '#core/rooms/film-edit.ts'
import { compositionLimits as limits } from '../composition/limits.ts'

/** How long the camera stays at a point, eases included. */
const emphasisSeconds = 2
const easeSecondsMax = 0.5
/** Shorter stays cannot be seen. */
const emphasisSecondsMin = 0.1
const stillMoves = ['in', 'out', 'left', 'right'] as const

/** Members of the clip's media source. `at`: the place of the segment, so that neighbours move differently. */
export function cameraOf(
  { kind, emphasis = [] }: FilmSegment,
  seconds: number,
  at: number,
): { readonly kenBurns?: string; readonly reframe?: object } {
  const segments = reframeSegments(emphasis, seconds)
  if (segments.length > 0) return { reframe: { segments } }
  return kind === 'image' ? { kenBurns: stillMoves[at % stillMoves.length] ?? 'in' } : {}
}

function reframeSegments(emphasis: readonly EmphasisPoint[], seconds: number) {
  const inside = emphasis
    .filter(({ atSeconds }) => atSeconds >= 0 && atSeconds < seconds)
    .toSorted((one, other) => one.atSeconds - other.atSeconds)
    .slice(0, limits.reframeSegments)
  return inside.flatMap(({ atSeconds, x, y, zoom }, index) => {
    const endSec = Math.min(
      atSeconds + emphasisSeconds,
      inside[index + 1]?.atSeconds ?? seconds,
      seconds,
    )
    const stay = endSec - atSeconds
    if (stay < emphasisSecondsMin) return []
    const ease = Math.min(easeSecondsMax, stay / 2)
    return [
      {
        startSec: atSeconds,
        endSec,
        zoom: Math.min(1, Math.max(0.1, zoom)),
        focus: { mode: 'point', x: clamp(x), y: clamp(y) },
        ease: { in: ease, out: ease },
      },
    ]
  })
}

const clamp = (fraction: number) => Math.min(1, Math.max(0, fraction))
