// People from a question, and their contacts.
import type { Action } from '#core/action.ts'
import { createOnefind } from './onefind.ts'
import type { OptOut } from './opt-out.ts'

export interface People {
  readonly actions: readonly Action[]
}

export function createPeople(dependencies: {
  readonly optOut: OptOut
  readonly ownNamespace: string
}): People {
  return { actions: [createOnefind(dependencies)] }
}
