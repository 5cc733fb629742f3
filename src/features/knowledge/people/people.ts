// People from a question, and their contacts.
import type { Action } from '#core/action.ts'
import type { Database } from '#platform/database/database.ts'
import { createLearning } from './deep/learning.ts'
import { createOnefindDeep } from './deep/onefind-deep.ts'
import { createOnefind } from './onefind.ts'
import type { OptOut } from './opt-out.ts'

export interface People {
  readonly actions: readonly Action[]
  forgetOld(): Promise<void>
}

export function createPeople({
  database,
  ...dependencies
}: {
  readonly database: Database
  readonly optOut: OptOut
  readonly ownNamespace: string
}): People {
  const learning = createLearning(database)
  return {
    actions: [createOnefind(dependencies), createOnefindDeep({ ...dependencies, learning })],
    forgetOld: learning.forgetOld,
  }
}
