import { z } from '#core/action.ts'

/** The documented fields of a work. Other fields that OpenAlex returns pass through. */
export const workObject = z.looseObject({
  id: z.string().describe('OpenAlex id, as a URL.'),
  doi: z.string().nullish(),
  title: z.string().nullish(),
  publication_year: z.int().nullish(),
  publication_date: z.string().nullish(),
  type: z.string().nullish(),
  cited_by_count: z.int().nullish(),
  authorships: z.array(z.looseObject({})).optional(),
  open_access: z.looseObject({}).nullish(),
  abstract: z.string().nullable().describe('Put together from the index that OpenAlex publishes.'),
})

interface RawWork {
  readonly abstract_inverted_index?: Readonly<Record<string, readonly number[]>> | null
}

/** Rebuilds the text of an abstract, which OpenAlex publishes only as an index from words to positions. */
export function readableWork({ abstract_inverted_index: index, ...work }: RawWork) {
  const words = Object.entries(index ?? {}).flatMap(([word, places]) =>
    places.map((place) => ({ word, place })),
  )
  words.sort((one, other) => one.place - other.place)
  return { ...work, abstract: words.map(({ word }) => word).join(' ') || null }
}
