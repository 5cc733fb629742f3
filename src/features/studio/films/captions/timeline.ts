// The captions that are shown at each frame.
import type { Cue, SpokenCue } from './cue.ts'

export interface CaptionState {
  readonly frames: number
  /** The captions of this time, which may overlap; none between captions. */
  readonly cues: readonly Cue[]
  /** The word that is spoken, by the place in its cue. */
  readonly spoken: number | undefined
}

const isSpoken = (cue: Cue): cue is SpokenCue => 'words' in cue

/** States that follow each other and fill `frames`. With `byWord`, each word begins one. */
export function captionStates(
  cues: readonly Cue[],
  { frames, fps }: { readonly frames: number; readonly fps: number },
  byWord: boolean,
): CaptionState[] {
  const frameAt = (seconds: number) => Math.min(frames, Math.max(0, Math.round(seconds * fps)))
  const words = byWord ? cues.flatMap((cue) => (isSpoken(cue) ? cue.words : [])) : []
  const changes = [
    0,
    frames,
    ...[...cues, ...words].flatMap(({ start, end }) => [start, end].map(frameAt)),
  ]
  const edges = [...new Set(changes)].toSorted((one, other) => one - other)
  const states = edges.slice(0, -1).map((start, index): CaptionState => {
    const shown = cues.filter((cue) => frameAt(cue.start) <= start && start < frameAt(cue.end))
    const [cue] = shown
    const spoken =
      byWord && cue !== undefined && isSpoken(cue)
        ? cue.words.findLastIndex((word) => frameAt(word.start) <= start)
        : -1
    const length = (edges[index + 1] ?? frames) - start
    return { frames: length, cues: shown, spoken: spoken < 0 ? undefined : spoken }
  })
  return states.filter((state) => state.frames > 0)
}
