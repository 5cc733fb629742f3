import { useEffect, useState } from 'preact/hooks'

interface Pages {
  /** Undefined on the first page. */
  readonly cursor: string | undefined
  readonly number: number
  enter(cursor: string): void
  back(): void
}

/** Pages of a list by cursors. They begin anew when `key` changes. */
export function usePages(key: string): Pages {
  const [state, setState] = useState<{ key: string; cursors: readonly string[] }>({
    key,
    cursors: [],
  })
  useEffect(() => setState({ key, cursors: [] }), [key])
  const cursors = state.key === key ? state.cursors : []
  return {
    cursor: cursors.at(-1),
    number: cursors.length + 1,
    enter: (cursor) => setState({ key, cursors: [...cursors, cursor] }),
    back: () => setState({ key, cursors: cursors.slice(0, -1) }),
  }
}

export function Pager({ pages, next }: { pages: Pages; next: string | null }) {
  if (pages.number === 1 && next === null) return null
  return (
    <nav class="bar start" aria-label="Pages of the list">
      <button type="button" disabled={pages.number === 1} onClick={pages.back}>
        Newer
      </button>
      <span role="status">Page {pages.number}</span>
      <button type="button" disabled={next === null} onClick={() => next && pages.enter(next)}>
        Older
      </button>
    </nav>
  )
}
