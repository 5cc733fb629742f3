// Addresses of the console: paths below /console, kept in the history of the browser.
import { useLayoutEffect, useState } from 'preact/hooks'

const base = '/console'
const changed = 'tollway:navigated'

/** The path below /console, and its query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
  /** What the entry of the history keeps besides. */
  readonly state: unknown
}

export const addressOf = (path: string) => (path === '/' ? base : base + path)

export function placeOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Place {
  const path = pathname.slice(base.length).replace(/\/+$/, '')
  return {
    path: path === '' ? '/' : path,
    query: new URLSearchParams(search),
    state: history.state,
  }
}

/** In the query of every page while amounts are shown exactly. */
export const exactName = 'exact'

const isExact = () => new URLSearchParams(location.search).has(exactName)

/** Shows amounts exactly, or short again. The rest of the address stays. */
export function showExactly(exactly: boolean) {
  const { query, state } = placeOf(location)
  if (exactly) query.set(exactName, 'yes')
  else query.delete(exactName)
  replaceQuery(query, { isNewEntry: true, state })
}

/** Enters a page, as a link to it does. Amounts that are shown exactly stay so. */
export function navigate(path: string) {
  const to = new URL(addressOf(path), location.origin)
  if (isExact()) to.searchParams.set(exactName, 'yes')
  history.pushState(null, '', to.pathname + to.search)
  dispatchEvent(new Event(changed))
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location))
  // Before the browser takes the next event: Back may be pressed as soon as the page is seen.
  useLayoutEffect(() => {
    const read = () => setPlace(placeOf(location))
    addEventListener('popstate', read)
    addEventListener(changed, read)
    return () => {
      removeEventListener('popstate', read)
      removeEventListener(changed, read)
    }
  }, [])
  return place
}

/**
 * Replaces the query of this page, as a new entry of the history or in place of the present one. `state` stays with the
 * entry through reloads. False if the browser takes no more for a while: Safari throws then, others are silent.
 */
export function replaceQuery(
  query: URLSearchParams,
  { isNewEntry, state = null }: { isNewEntry: boolean; state?: unknown },
): boolean {
  const address = query.size === 0 ? location.pathname : `${location.pathname}?${query}`
  try {
    history[isNewEntry ? 'pushState' : 'replaceState'](state, '', address)
  } catch {}
  dispatchEvent(new Event(changed))
  return location.search === new URL(address, location.href).search
}

/** Follows links within the console without loading the page anew. Other clicks stay with the browser. */
export function followLinks() {
  document.addEventListener('click', (event) => {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null || link.target !== '' || link.origin !== location.origin) return
    const { pathname, search, hash } = link
    if (hash !== '' || (pathname !== base && !pathname.startsWith(`${base}/`))) return
    event.preventDefault()
    navigate(pathname.slice(base.length) + search)
  })
}

/** The parameters of `path` if it fits a pattern such as `/transactions/:id`. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) found[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
