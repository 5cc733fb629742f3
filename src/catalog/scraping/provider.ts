import { defineProvider } from '#core/provider.ts'
import { scrape } from './scrape.ts'

export const scraping = defineProvider({
  id: 'scraping',
  title: 'Scraping by the first provider at hand',
  through: ['ns_render_b', 'ns_render_a'],
  actions: [scrape],
})
