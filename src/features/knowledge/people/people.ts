// People from a question, and their contacts.
import type { Action } from '#core/action.ts'
import type { Provider } from '#core/provider.ts'
import type { Database } from '#platform/database/database.ts'
import { createLearning } from './deep/learning.ts'
import { createOnefindDeep } from './deep/onefind-deep.ts'
import { guardPeople } from './guard.ts'
import { createOnefind } from './onefind.ts'
import type { OptOut } from './opt-out.ts'

export interface People {
  readonly actions: readonly Action[]
  /** A provider whose actions leave out people who have opted out. */
  guard(provider: Provider): Provider
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
    guard: (provider) => guardPeople(provider, dependencies.optOut),
    forgetOld: learning.forgetOld,
  }
}
