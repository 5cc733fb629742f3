// People from a question, and their contacts.
import type { Action } from '#core/action.ts'
import type { Provider } from '#core/provider.ts'
import type { Database } from '#platform/database/database.ts'
import { createLearning } from './deep/learning.ts'
import { createOnefindDeep } from './deep/onefind-deep.ts'
import { guardPeople } from './guard.ts'
import { createOnefind } from './onefind.ts'
import { joinOptOuts, type OptOut } from './opt-out.ts'
import { createPeopleRights, type PeopleRights } from './rights.ts'

export interface People {
  readonly actions: readonly Action[]
  /** A provider whose actions leave out people who have opted out. */
  guard(provider: Provider): Provider
  readonly rights: PeopleRights
  forgetOld(): Promise<void>
}

export function createPeople({
  database,
  ...dependencies
}: {
  readonly database: Database
  /** The list of the operator. */
  readonly optOut: OptOut
  readonly ownNamespace: string
}): People {
  const learning = createLearning(database)
  const rights = createPeopleRights(database)
  const optOut = joinOptOuts(dependencies.optOut, database)
  const parts = { ...dependencies, optOut, disclosures: rights }
  return {
    actions: [createOnefind(parts), createOnefindDeep({ ...parts, learning })],
    guard: (provider) => guardPeople(provider, parts),
    rights,
    async forgetOld() {
      await learning.forgetOld()
      await rights.forgetOld()
    },
  }
}
