// What a request is about: its words without the request itself, the kind of thing that is asked for, and the values
// that fields have taken.
import { everywhere } from '#core/identifier.ts'
import type { ReadText } from './read-values.ts'
import { blank, type Said } from './said-value.ts'

/** Verbs and politeness with which people begin or end a request, and the small words of a sentence. */
const requestWords = new Set(
  `hi hello hey please pls plz kindly thanks thank thx ok okay so then also first next finally now asap urgently quickly
  can could would will you i we me us my our your need want wants like help let us lets to it its
  find search look looking google get gets getting fetch show list tell give check pull research collect gather bring send
  make makes create draw generate produce render compose return open read load retrieve see know have has had is are was were be been
  do does did what which who where when why how much many there any all some every each
  a an the this that these those of about on for regarding concerning abt in at by with from as into and or but not only just
  up out web internet online information info details detail result results list lists
  task question step return watch monitor using use via per page pages one ones them they wrote write said say says wrote happened
  best top latest newest recent last past new current max maximum most
  such under over within between during exist exists exactly posted published filed listed dated hits answers lines pieces rows documents enough fine plenty them's
  bitte mir mich uns suche suchen finde finden zeige zeig hole gib liste alle den die das der dem des ein eine einen einer im in am
  nach über von für und oder zu zum zur mit auf bei was wer wie viele wieviel ist sind hat haben ich wir
  trouve trouver cherche chercher montre donne moi nous le la les un une des du de sur pour et ou avec dans qui que quoi quels quelles combien est sont je
  busca buscar encuentra muestra dame quiero el los las unos unas del sobre para por y o con en qué que quién cuáles cuántos es son
  procura procurar encontra mostra quero os as um uma do da dos das sobre e quais quantos foram
  cerca cercare trova mostrami dammi il lo gli i uno di sul sulla sui per con chi che quali quanti sono
  zoek zoeken vind toon geef het een van over voor met en wie wat hoeveel`.split(/\s+/),
)

/** What stands behind these words is what the request is about. */
const topicMark =
  /(?<!\p{L})(?:about|regarding|concerning|abt|on the (?:topic|subject) of|mentioning|that mention|über|zum thema|à propos (?:de|d[’'])|au sujet (?:de|d[’'])|sobre|riguardo|over|betreffende)\s+/iu
/** Behind a name for something that is made, the words say what it shows. */
const pictureMark =
  /(?<!\p{L})(?:picture|image|photo|video|clip|film|drawing|illustration|song|track|bild|foto)s?\s+(?:of|with|showing|about|von|mit)\s+/iu

const charactersMax = 300

/**
 * `said`: the words that fields have taken. `kindWords`: words for what an action gives, which say nothing of what it
 * is about. Empty if nothing is left.
 */
export function readTopic(
  read: ReadText,
  taken: readonly Said[],
  kindWords: ReadonlySet<string>,
): string {
  const left = firstClause(
    blank(read.text, [...taken, ...wordless(read, kindWords)]).replaceAll(dangling, blankWords),
  )
  const marked =
    afterMark(left, topicMark, read.values) ??
    afterMark(left, pictureMark, read.values) ??
    afterColon(left) ??
    left
  const tokens = [...marked.matchAll(/[^\s]+/g)].map(([token]) => token)
  const isKept = (token: string, at: number) => {
    const word = plainWord(token)
    if (word === '') return false
    if (requestWords.has(word)) return false
    return !isKindWord(word, kindWords) || (at > 0 && isName(token) && !kindWords.has(word))
  }
  const first = tokens.findIndex(isKept)
  if (first === -1) return ''
  const last = tokens.findLastIndex(isKept)
  return clean(tokens.slice(first, last + 1).join(' ')).slice(0, charactersMax)
}

/** A preposition whose value a field has taken: `Jordan 1 in    , and`. */
const dangling =
  /(?<!\p{L})(?:in|on|from|at|with|for|since|by|during|within|of|and|im|seit|en|depuis|desde|nel)\s*(?=\s{2,}|[,.;:!?)]|\s*$)/giu

/** What stands behind it says more about the answer, and not what the request is about. */
const furtherClause =
  /[.!?;]\s+(?=\p{L})|,\s+(?:and|plus|y|und|et)\s+(?:the|its|their|his|her)\s|,\s+(?=(?:only|no|not|without|with|max|at most)\b)/iu

/** All other words keep their place. */
function firstClause(text: string): string {
  let from = 0
  for (const { index, 0: mark } of text.matchAll(new RegExp(furtherClause.source, 'giu'))) {
    const clause = text.slice(from, index)
    const words = clause.match(/\p{L}{2,}/gu) ?? []
    if (words.some((word) => !requestWords.has(word.toLowerCase())))
      return blankUntil(from, text.slice(0, index))
    from = index + mark.length
  }
  return blankUntil(from, text)
}

const blankWords = (words: string) => ' '.repeat(words.length)
const blankUntil = (end: number, text: string) => blank(text, [{ start: 0, end }])

/** `a picture: a red fox in the snow`. */
function afterColon(text: string): string | undefined {
  const [before = '', behind = '', ...others] = text.split(/:\s+/)
  const isHead = (before.match(/\p{L}+/gu) ?? []).length > 1
  return isHead && others.length === 0 && /[\p{L}\p{N}]{2,}/u.test(behind) ? behind : undefined
}

/** A topic has neither counts nor orders, whether or not a field takes them. */
function wordless({ values, text }: ReadText, kindWords: ReadonlySet<string>): readonly Said[] {
  return values
    .filter(({ kind }) => kind === 'count' || kind === 'order')
    .map((value) => {
      // The noun of a count is the kind of thing that is asked for.
      if (value.kind !== 'count' || !isKindWord(value.noun, kindWords)) return value
      const behind = text.slice(value.end, value.end + value.noun.length + 1).toLowerCase()
      return behind.trim() === value.noun
        ? { ...value, end: value.end + value.noun.length + 1 }
        : value
    })
}

/** A word of a value marks nothing: `over the past 12 months`, `over 10m`. */
function afterMark(text: string, mark: RegExp, values: readonly Said[]): string | undefined {
  const isValue = (at: number) => values.some(({ start, end }) => at >= start && at < end)
  const match = [...text.matchAll(everywhere(mark))].find(({ index }) => !isValue(index))
  const rest = match && text.slice(match.index + match[0].length)
  return rest && /[\p{L}\p{N}]{2,}/u.test(rest) ? rest : undefined
}

const plainWord = (token: string) =>
  token
    .toLowerCase()
    .replaceAll(/^[^\p{L}\p{N}#@$]+|[^\p{L}\p{N}+#]+$/gu, '')
    .replace(/[’']s$/, '')

const isName = (token: string) => /^\p{Lu}/u.test(token)

const isKindWord = (word: string, kindWords: ReadonlySet<string>) =>
  kindWords.has(word) ||
  (word.endsWith('s') && kindWords.has(word.slice(0, -1))) ||
  kindWords.has(`${word}s`)

const clean = (text: string) =>
  text
    .replaceAll(/\s+([,.;:!?])/g, '$1')
    .replaceAll(/[,;:]\s*(?=[,;:.])/g, '')
    .replaceAll(/\(\s*\)/g, '')
    .replace(/^[\s,.;:!?()"“”'–-]+|[\s,.;:!?("“”'–-]+$/g, '')
    .replaceAll(/\s+/g, ' ')

/** Words of texts, for `kindWords`. */
export const kindWordsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []))
