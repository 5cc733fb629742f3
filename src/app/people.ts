// Finding people, except those on the operator's list.
import { openOptOut } from '#features/knowledge/people/opt-out.ts'
import { createPeople, type People } from '#features/knowledge/people/people.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export async function openPeople(
  { config, log }: AppContext,
  { database }: Store,
): Promise<People> {
  const optOut = await openOptOut(config.PEOPLE_OPT_OUT, log)
  return createPeople({ database, optOut, ownNamespace: config.OWN_NS })
}
