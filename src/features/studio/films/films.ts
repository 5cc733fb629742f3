// Films that this machine makes without the vendor: projects, media and renders of callers.
import type { StandIns } from '#core/catalog.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { createFairPlaces, tooManyWaiting } from '#platform/threads/fair-places.ts'
import type { FontShelf } from './fonts/shelf.ts'
import { createEditing } from './projects/editing.ts'
import { createImporting } from './projects/importing.ts'
import { createMediaStore } from './projects/media-store.ts'
import { createProjectStore } from './projects/project-store.ts'
import { createRenderStore } from './projects/render-store.ts'
import { createRenderTurns } from './projects/render-turns.ts'
import { createRendering } from './projects/rendering.ts'
import type { FilmRenderer } from './render/film.ts'

export interface Films {
  readonly standIns: StandIns
  /** Drops projects and media past their time. */
  forgetOld(): Promise<void>
}

/** Stills and the reading of media, for which a call waits: at this gateway, for all callers. */
const shortWork = { places: 2, placesPerOwner: 1, waitingPerOwnerMax: 20 }

export function createFilms(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly renderer: Pick<FilmRenderer, 'probe' | 'render' | 'still'>
  /** What this machine lacks to read media and to render. */
  readonly missing: string | undefined
  /** What the fonts of this machine have. Undefined: it cannot be told. */
  readonly fonts: () => Promise<FontShelf | undefined>
  /** Renders of this gateway at once, beside short ones. */
  readonly rendersMax: number
}): Films {
  const projects = createProjectStore(dependencies)
  const media = createMediaStore(dependencies)
  const renders = createRenderStore(dependencies)
  const turns = createRenderTurns(dependencies)
  const places = createFairPlaces({
    ...shortWork,
    refusal: () =>
      tooManyWaiting('stills and uploads of media waiting for this machine', {
        waitingMax: shortWork.waitingPerOwnerMax,
        done: 'answered',
      }),
  })
  const stores = { ...dependencies, projects, media, renders, turns, places }
  return {
    standIns: new Map([
      ...createEditing(stores),
      ...createImporting(stores),
      ...createRendering(stores),
    ]),
    async forgetOld() {
      await projects.forgetOld()
      await media.forgetOld()
      await turns.forgetOld()
    },
  }
}
