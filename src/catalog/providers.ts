// The one list of what is sold for others, in alphabetical order. Every reader of the catalog starts here.
import type { Provider } from '#core/provider.ts'
import { encyclopedia } from './ns_encyclopedia/provider.ts'
import { filings } from './ns_filings/provider.ts'
import { renderA } from './ns_render_a/provider.ts'
import { renderB } from './ns_render_b/provider.ts'
import { resi } from './ns_resi/provider.ts'
import { scholar } from './ns_scholar/provider.ts'
import { semantic } from './ns_semantic/provider.ts'
import { scraping } from './scraping/provider.ts'

export const providers: readonly Provider[] = [
  encyclopedia,
  filings,
  renderA,
  renderB,
  resi,
  scholar,
  semantic,
  scraping,
]
