// Whether tracks that are lowered under speech name tracks that can have it.
import { type CompositionProblem, problem } from './problem.ts'
import type { Track } from './schema.ts'

export function checkDucking(tracks: readonly Track[]): CompositionProblem[] {
  const byId = new Map(tracks.map((track) => [track.id, track]))
  return tracks.flatMap(({ id, duck }) =>
    (duck?.under ?? []).flatMap((named, index) => {
      const path = `tracks[${tracks.findIndex((track) => track.id === id)}].duck.under[${index}]`
      const voice = byId.get(named)
      if (voice === undefined)
        return [
          problem(
            'unknown_track',
            path,
            `There is no track ${JSON.stringify(named)}, so nothing would be heard above this one.`,
            `Set ${path} to the id of the track with the speech.`,
          ),
        ]
      if (voice.duck === undefined) return []
      return [
        problem(
          'duck_circle',
          path,
          `The track ${JSON.stringify(named)} is lowered itself.`,
          `Remove duck from the track ${JSON.stringify(named)}, or name a track without it.`,
        ),
      ]
    }),
  )
}
