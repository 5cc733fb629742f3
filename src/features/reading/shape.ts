// HTML as it came becomes what the caller asked for. Pure and synchronous; page-worker.ts runs it off the main thread.
import { cleanPage, type Survey } from './clean.ts'
import { extractMain } from './extract.ts'
import { toMarkdown } from './markdown.ts'

export type PageFormat = 'markdown' | 'html'

export interface ShapeTask {
  readonly html: string
  readonly url: string
  readonly format: PageFormat
  readonly mainContent: boolean
  /** Look for no main content: the way that cannot hang, taken when the other one did. */
  readonly plain?: boolean
}

export interface ShapedPage {
  readonly title: string | null
  readonly content: string
  readonly survey: Survey
}

/** What the yield check looks at; the rest of a long text need not cross between threads. */
const surveyTextCharactersMax = 16_000

/** Page furniture, for pages on which nothing stands out. */
const furniture: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'menu', 'search'])

export function shapePage(task: ShapeTask): ShapedPage {
  const page = cleanPage(task.html, task.url, { hints: true })
  const { survey } = page
  const main = task.mainContent
    ? ((task.plain ? undefined : extractMain(page.html, survey)?.html) ??
      withoutFurniture(page.html, page.baseUrl, survey.words))
    : page.html
  const html = cleanPage(main, page.baseUrl, { hints: false }).html.trim()
  return {
    title: survey.title ?? (survey.heading || null),
    content: task.format === 'html' ? html : toMarkdown(html),
    survey: { ...survey, text: survey.text.slice(0, surveyTextCharactersMax) },
  }
}

/** A page may be all furniture, a site map for instance; then its furniture is its content. */
function withoutFurniture(html: string, baseUrl: string, words: number): string {
  const rest = cleanPage(html, baseUrl, { hints: false, drop: furniture })
  return rest.survey.words >= words * furnitureShareMax ? rest.html : html
}

const furnitureShareMax = 0.1
