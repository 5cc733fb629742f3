import type { Pages } from '../addressed.ts'

export function Pager({ pages, next }: { pages: Pages; next: string | null }) {
  if (pages.number === 1 && next === null) return null
  return (
    <nav class="bar start" aria-label="Pages of the list">
      <button
        type="button"
        aria-disabled={pages.number === 1}
        onClick={() => pages.number > 1 && pages.back()}
      >
        Newer
      </button>
      <span role="status">Page {pages.number}</span>
      <button type="button" aria-disabled={next === null} onClick={() => next && pages.enter(next)}>
        Older
      </button>
    </nav>
  )
}
