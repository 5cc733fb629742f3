// Finding people, except those on the operator's list.
import { openOptOut } from '#features/people/opt-out.ts'
import { createPeople, type People } from '#features/people/people.ts'
import type { AppContext } from './context.ts'

export async function openPeople({ config, log }: AppContext): Promise<People> {
  const optOut = await openOptOut(config.PEOPLE_OPT_OUT, log)
  return createPeople({ optOut, ownNamespace: config.OWN_NS })
}
