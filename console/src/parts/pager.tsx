import type { Pages } from '../addressed.ts'

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
