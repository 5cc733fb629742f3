// How the actions of one service give each other values: read from their schemas.
import { type CatalogEntry, outputSchemaOf, requiredBy } from '#core/catalog.ts'
import { wordsOfName } from '../../../values/field.ts'

/** Where the value is: in each item of the list, or in the answer. */
interface DerivedValue {
  readonly list?: string
  readonly at: string
}

interface AnswerSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, AnswerSchema>>
  readonly items?: AnswerSchema
}

/**
 * Where the answer of one action has an identifier that another of its service takes. Undefined for what the first call
 * is itself made with.
 */
export function deriveRecipe(
  taker: CatalogEntry,
  name: string,
  giver: CatalogEntry,
): DerivedValue | undefined {
  const isIdentifier = /(?:^|_)id$|Id$/.test(name)
  const isSibling = taker.service.provider.id === giver.service.provider.id
  if (!isIdentifier || !isSibling || requiredBy(giver.action).includes(name)) return undefined
  const { properties = {} } = answerOf(giver)
  const wanted = wordsOfName(name).join('_')
  const [noun] = wanted.split('_id')
  const isWanted = (each: string) => wordsOfName(each).join('_') === wanted
  const [exact] = Object.keys(properties).filter(isWanted)
  if (exact !== undefined) return { at: `/${exact}` }
  for (const [list, { type, items }] of Object.entries(properties)) {
    if (type !== 'array' || items?.properties === undefined) continue
    const members = Object.keys(items.properties)
    const isListOfThem = noun !== undefined && list.startsWith(noun)
    const at =
      members.find(isWanted) ?? (isListOfThem ? members.find((each) => each === 'id') : undefined)
    if (at !== undefined) return { list: `/${list}`, at: `/${at}` }
  }
  return undefined
}

const answers = new WeakMap<CatalogEntry, AnswerSchema>()

function answerOf(entry: CatalogEntry): AnswerSchema {
  const known = answers.get(entry) ?? (outputSchemaOf(entry.action) as AnswerSchema)
  answers.set(entry, known)
  return known
}
