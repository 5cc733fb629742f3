// JSON-LD: what the page's main thing is, when it was published, and by whom.
import { decodeHTML } from 'entities'

export interface LinkedFacts {
  readonly description: string | undefined
  readonly author: string | undefined
  readonly published: string | undefined
  readonly modified: string | undefined
  readonly language: string | undefined
  readonly siteName: string | undefined
  readonly image: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const thingsMax = 500
const authorsMax = 5
/** What the page is about, before what stands around it. */
const kinds = [
  /Article|Posting|Report|Review$|Recipe|HowTo|Question|Discussion/,
  /Product|Event|Course|JobPosting|Video|Book|Movie|SoftwareApplication|Dataset/,
  /Page$/,
]

export function readLinkedData(scripts: readonly string[]): LinkedFacts {
  const things = scripts.flatMap(parseThings).slice(0, thingsMax)
  const ranked = kinds.flatMap((kind) => things.filter((thing) => kind.test(typeOf(thing))))
  const find = (read: (thing: Fields) => string | undefined) => {
    for (const thing of ranked) {
      const found = read(thing)
      if (found !== undefined) return found
    }
    return undefined
  }
  const site = things.find((thing) => typeOf(thing) === 'WebSite')
  return {
    description: find((thing) => textOf(thing.description)),
    author: find((thing) => namesOf(thing.author)),
    published: find((thing) => textOf(thing.datePublished)),
    modified: find((thing) => textOf(thing.dateModified)),
    language: find((thing) => textOf(thing.inLanguage)),
    siteName: textOf(site?.name) ?? find((thing) => namesOf(thing.publisher)),
    image: find((thing) => addressOf(thing.image)),
  }
}

/** The things at the top, and those of lists and graphs. Broken scripts are skipped. */
function parseThings(script: string): Fields[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(script)
  } catch {
    return []
  }
  const tops = listOf(parsed).filter(isFields)
  return tops.flatMap((top) => [top, ...listOf(top['@graph']).filter(isFields)])
}

function typeOf(thing: Fields): string {
  return listOf(thing['@type'])
    .filter((type) => typeof type === 'string')
    .join(' ')
}

function namesOf(value: unknown): string | undefined {
  const names = listOf(value)
    .slice(0, authorsMax)
    .map((each) => textOf(isFields(each) ? each.name : each))
    .filter((name) => name !== undefined)
  return names.length > 0 ? names.join(', ') : undefined
}

function addressOf(value: unknown): string | undefined {
  const [one] = listOf(value)
  return textOf(isFields(one) ? (one.url ?? one.contentUrl) : one)
}

function textOf(value: unknown): string | undefined {
  const [one] = listOf(value)
  return typeof one === 'string' && one.trim() !== '' ? decodeHTML(one).trim() : undefined
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
