// Choices that are kept in the address: a reload, Back, a link and another browser show the same view.
import { useRef, useState } from 'preact/hooks'
import { placeOf, replaceQuery, usePlace } from './router.ts'

/** A longer draft is kept on the page only, because addresses have limits. So is what the address did not take. */
const addressedCharactersMax = 2_000

type Values = Readonly<Record<string, string>>

/**
 * Texts in the query of the address, by name. A usual value is left out of it. What is typed into one field is one
 * entry of the history. A change begins the lists of the page at their first rows.
 */
export function useAddressed<Usual extends Values>(
  usual: Usual,
): [{ readonly [Name in keyof Usual]: string }, (values: Partial<Usual>) => void] {
  const { query } = usePlace()
  const names: readonly (keyof Usual & string)[] = Object.keys(usual)
  const typed = useRef<string>(undefined)
  const [long, setLong] = useState<Values>({})
  const values = Object.fromEntries(
    names.map((name) => [name, long[name] ?? query.get(name) ?? usual[name]]),
  )
  const change = (chosen: Partial<Usual>) => {
    const { query: next } = placeOf(location)
    const changed = names.filter(
      (name) => chosen[name] !== undefined && chosen[name] !== values[name],
    )
    if (changed.length === 0) return
    const tooLong: Record<string, string> = { ...long }
    for (const name of changed) {
      const value = chosen[name] ?? ''
      delete tooLong[name]
      if (value.length > addressedCharactersMax) tooLong[name] = value
      if (value === usual[name] || name in tooLong) next.delete(name)
      else next.set(name, value)
    }
    for (const name of [...next.keys()]) if (name.startsWith(pagePrefix)) next.delete(name)
    const [only] = changed.length === 1 ? changed : []
    const isNewEntry = only === undefined || only !== typed.current
    if (replaceQuery(next, { isNewEntry })) typed.current = only
    // The next change of it is tried again.
    else for (const name of changed) tooLong[name] = chosen[name] ?? ''
    setLong(tooLong)
  }
  return [values as { readonly [Name in keyof Usual]: string }, change]
}

/** One such text. */
export function useAddressedText(name: string, usual = ''): [string, (value: string) => void] {
  const [values, change] = useAddressed({ [name]: usual })
  return [values[name] ?? usual, (value) => change({ [name]: value })]
}

export interface Pages {
  /** Undefined on the first page. */
  readonly cursor: string | undefined
  readonly number: number
  enter(cursor: string): void
  back(): void
}

const pagePrefix = 'page'

/** The pages of a list by cursors: `page=3.abc` is the third. Lists of one page have names of their own. */
export function usePages(list = ''): Pages {
  const { query, state } = usePlace()
  const name = list === '' ? pagePrefix : `${pagePrefix}-${list}`
  const [, digits = '1', cursor] = /^(\d{1,6})\.(.+)$/s.exec(query.get(name) ?? '') ?? []
  const number = cursor === undefined ? 1 : Number(digits)
  /** The cursors of earlier pages, which only this browser knows: the entry of its history keeps them. */
  const earlier = earlierOf(state, name)
  const go = (to: number, at: string | undefined, before: readonly string[]) => {
    const { query: next } = placeOf(location)
    if (at === undefined) next.delete(name)
    else next.set(name, `${to}.${at}`)
    const kept = typeof state === 'object' ? state : null
    replaceQuery(next, { isNewEntry: true, state: { ...kept, [name]: before } })
  }
  return {
    cursor,
    number,
    enter: (at) => go(number + 1, at, cursor === undefined ? [] : [...earlier, cursor]),
    back: () => {
      const at = earlier.at(-1)
      // Without the page before, as after a link, the list begins anew.
      go(at === undefined ? 1 : number - 1, at, earlier.slice(0, -1))
    },
  }
}

function earlierOf(state: unknown, name: string): readonly string[] {
  const known: unknown = typeof state === 'object' && state !== null && Reflect.get(state, name)
  return Array.isArray(known) ? known.filter((cursor) => typeof cursor === 'string') : []
}
