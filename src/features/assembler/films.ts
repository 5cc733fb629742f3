// Films that this machine makes without the vendor: projects, media and renders of callers.
import type { StandIns } from '#core/catalog.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { createEditing } from './projects/editing.ts'
import { createMediaStore } from './projects/media-store.ts'
import { createProjectStore } from './projects/project-store.ts'

export interface Films {
  readonly standIns: StandIns
  /** Drops projects and media past their time. */
  forgetOld(): Promise<void>
}

export function createFilms(dependencies: {
  readonly database: Database
  readonly clock: Clock
}): Films {
  const projects = createProjectStore(dependencies)
  const media = createMediaStore(dependencies)
  const editing = createEditing({ projects, media })
  return {
    standIns: new Map(editing.standIns),
    async forgetOld() {
      await projects.forgetOld()
      await media.forgetOld()
    },
  }
}
