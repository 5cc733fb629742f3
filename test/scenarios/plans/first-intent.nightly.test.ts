// What is made at the first intent, out of the whole catalog and all labelled intents, takes seconds of the processor.
import { afterAll, expect, test } from 'vitest'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../training/discover-catalog.ts'

const { catalog, close } = openWholeCatalog()
afterAll(close)

/** How many turns the event loop takes until the work is done: in each of them other callers are answered. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate | undefined
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

test('other callers are answered while the first intents are prepared, and nothing is prepared twice', async () => {
  const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
  const { input, run } = createConsult({
    catalog: () => catalog,
    rank,
    ownNamespace,
    clock,
    composeFilm,
  })
  const propose = async (intent: string) => run({ input: input.parse({ intent }) } as never)
  const intents = ['find the page about Ada Lovelace and read it', 'plane tickets', 'wine']
  const turns = await countTurns(() => Promise.all(intents.map(propose)))
  expect(turns).toBeGreaterThan(300)
  expect(turns).toBeLessThan(700)
  expect(await countTurns(() => propose('court dockets'))).toBeLessThan(20)
})
