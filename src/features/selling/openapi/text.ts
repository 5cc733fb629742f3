// Names and texts of a description, brought into the form that actions have.
import { removeHidden } from '#core/input/hidden-characters.ts'
import { descriptionCharactersMax, nameCharactersMax, titleCharactersMax } from './limits.ts'

/** `listPets_v2` and `GET /pets/{id}` as names of actions: `list-pets-v2`, `get-pets-id`. */
export function actionName(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .replace(/[^a-z\d]+/g, '-')
  return cutName(words).replace(/^-+|-+$/g, '')
}

const cutName = (name: string) => name.replace(/^-+/, '').slice(0, nameCharactersMax)

/** A name of a field that all tools accept: letters, digits, `_`, `-` and `.`, at most 64. */
export function fieldName(wireName: string): string {
  const plain = wireName.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  const name = plain.replace(/[^\w.-]+/g, '_').replace(/^[_.-]+|[_.-]+$/g, '')
  return name.slice(0, nameCharactersMax) || 'value'
}

/** The name, or the next free one: `pets`, `pets-2`. Takes it. */
export function takeName(name: string, taken: Set<string>, separator = '-'): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `${separator}${number}`
    const free = name.slice(0, nameCharactersMax - suffix.length) + suffix
    if (taken.has(free)) continue
    taken.add(free)
    return free
  }
}

export function shortDescription(text: unknown): string {
  return cut(typeof text === 'string' ? shownText(text).trim() : '', descriptionCharactersMax)
}

/** Without the characters that a reader does not see. Lines stay. */
export const shownText = (text: string): string => text.replaceAll(/[^\n\t]+/g, removeHidden)

/** The first sentence of the first text that says something. */
export function titleOf(...texts: readonly unknown[]): string {
  for (const text of texts) {
    if (typeof text !== 'string') continue
    const line =
      shownText(text)
        .replace(/<[^>]*>|[#*`]/g, '')
        .trim()
        .split(/\n/, 1)[0]
        ?.replace(/\s+/g, ' ')
        .trim() ?? ''
    const sentence = /^.{3,}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
    if (sentence !== '') return cut(sentence, titleCharactersMax)
  }
  return ''
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
