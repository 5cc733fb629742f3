// The pages that an extraction reads, a few at a time.

import type { SourcePage } from '../../extraction/evidence.ts'
import type { PageReader, ReadContext } from '../page.ts'

const pagesAtOnce = 3

export async function readSource(
  reader: PageReader,
  wish: { readonly url: string; readonly isPatient?: boolean },
  context: ReadContext,
): Promise<SourcePage> {
  const how = { formats: ['markdown'], mainContent: false, scripts: 'as needed' } as const
  const { page } = await reader.read({ ...wish, ...how }, context)
  return { url: wish.url, text: page.markdown ?? '' }
}

/** Returns the results in the order of the items. */
export async function eachInTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const place = next
      next += 1
      results[place] = await work(items[place] as Item)
    }
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, worker))
  return results
}
