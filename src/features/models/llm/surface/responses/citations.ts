// Citations of an answer: the places where the model itself has linked a page that a search of this response has found.
import type { ChatFields } from '../../conversation/fields.ts'

/** What may follow an address in a text without being part of it. */
const afterAddress = /^(?:[\s)\]>"'`*|]|[.,;:!?](?:[\s)\]>"'`*|]|$)|$)/
const addressBegins = /https?:\/\//gi
/** A label in front of an address: `[a page](`. */
const linkBegins = /\[[^[\]\n]{0,500}\]\(<?$/
const linkEnds = /^>?(?:[ \t]+"[^"\n]{0,500}")?\)/
const labelCharactersMax = 600

/** The titles of pages by their addresses, of the searches among the items of a response. */
export function pagesFound(items: readonly ChatFields[]): ReadonlyMap<string, string> {
  const searches = items.filter(
    ({ type, status }) => type === 'web_search_call' && status === 'completed',
  )
  return new Map(
    searches
      .flatMap(({ results }): ChatFields[] => results ?? [])
      .filter(({ url }) => typeof url === 'string' && url !== '')
      .map(({ url, title }) => [url, String(title ?? '')]),
  )
}

/** Places are counted in Unicode characters, as the vendor counts them. */
export function citationsIn(text: string, pages: ReadonlyMap<string, string>): ChatFields[] {
  if (pages.size === 0) return []
  // The longest address first: one may begin as another one ends.
  const addresses = [...pages.keys()].toSorted((a, b) => b.length - a.length)
  const links: { url: string; start: number; end: number }[] = []
  for (const { index } of text.matchAll(addressBegins)) {
    const url = addresses.find(
      (address) =>
        text.startsWith(address, index) &&
        afterAddress.test(text.slice(index + address.length, index + address.length + 2)),
    )
    if (url === undefined) continue
    const [start, end] = linkAround(text, index, index + url.length)
    // The label of a link may be an address as well.
    if (start < (links.at(-1)?.end ?? 0)) links.pop()
    links.push({ url, start, end })
  }
  const place = placeInCharacters(text)
  return links.map(({ url, start, end }) => {
    const [start_index, end_index] = [place(start), place(end)]
    return { type: 'url_citation', url, title: pages.get(url), start_index, end_index }
  })
}

/** The whole link, if the address is that of one. */
function linkAround(text: string, start: number, end: number): readonly [number, number] {
  const before = linkBegins.exec(text.slice(Math.max(0, start - labelCharactersMax), start))
  const after = linkEnds.exec(text.slice(end, end + labelCharactersMax))
  return before === null || after === null
    ? [start, end]
    : [start - before[0].length, end + after[0].length]
}

/** For places in their order. */
function placeInCharacters(text: string): (at: number) => number {
  let [units, characters] = [0, 0]
  return (at) => {
    while (units < at) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
      characters += 1
    }
    return characters
  }
}
