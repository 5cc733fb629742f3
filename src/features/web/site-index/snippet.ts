// The part of a passage with the most words of the question.
import type { Token } from './words.ts'

const snippetCharactersMax = 400
/** What stands before the first of the words. */
const leadCharacters = 60

export function snippetOf(
  text: string,
  tokens: readonly Token[],
  isMatch: (word: string) => boolean,
): { readonly snippet: string; readonly matchedWords: readonly string[] } {
  const matches = tokens.filter(({ word }) => isMatch(word))
  const from = text.length <= snippetCharactersMax ? 0 : bestStart(text, matches)
  const to = from + snippetCharactersMax
  const inside = matches.filter(({ at }) => at >= from && at < to)
  const cut = text.slice(from, to).toWellFormed().replace(/\s+/g, ' ').trim()
  const snippet = `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`
  return { snippet, matchedWords: [...new Set(inside.map(({ word }) => word))] }
}

/** Where the window begins that holds the most different words. */
function bestStart(text: string, matches: readonly Token[]): number {
  const starts = matches.map(({ at }) => {
    const inside = matches.filter(
      (other) => other.at >= at && other.at < at + snippetCharactersMax - leadCharacters,
    )
    return { at, count: new Set(inside.map(({ word }) => word)).size }
  })
  const best = starts.toSorted((one, other) => other.count - one.count || one.at - other.at)[0]
  const wanted = Math.min((best?.at ?? 0) - leadCharacters, text.length - snippetCharactersMax)
  if (wanted <= 0) return 0
  const space = text.slice(wanted, wanted + leadCharacters).search(/\s/)
  return space === -1 ? wanted : wanted + space + 1
}
