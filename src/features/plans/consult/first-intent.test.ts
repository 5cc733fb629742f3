// What is made at the first question, out of the whole catalog and all labelled intents, takes seconds of the processor.
import { afterAll, expect, test } from 'vitest'
import { composeFilm } from '#features/assembler/edits/compose.ts'
import { createDiscover } from '#features/discover/discover.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../../../../training/discover-catalog.ts'
import { createConsult } from './consult.ts'

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

test('other callers are answered while the first question and the first intent are prepared', async () => {
  const { rank } = createDiscover({ catalog: () => catalog, ownNamespace })
  const { input, run } = createConsult({ catalog: () => catalog, rank, ownNamespace, composeFilm })
  const intent = 'find the page about Ada Lovelace in the encyclopedia and read it'
  const propose = async () => run({ input: input.parse({ intent }) } as never)
  expect(await countTurns(() => rank('court dockets', 5))).toBeGreaterThan(100)
  expect(await countTurns(propose)).toBeGreaterThan(200)
  // Nothing is prepared twice.
  expect(await countTurns(propose)).toBeLessThan(20)
})

test('callers who come first at the same time share what is prepared', async () => {
  const open = () => createDiscover({ catalog: () => catalog, ownNamespace }).rank
  const [alone, shared] = [open(), open()]
  const turnsAlone = await countTurns(() => alone('court dockets', 5))
  const turnsTogether = await countTurns(() =>
    Promise.all(['court dockets', 'plane tickets', 'wine'].map((query) => shared(query, 5))),
  )
  expect(turnsTogether).toBeLessThan(turnsAlone + 20)
})
