// HTML as it came becomes what the caller asked for. Pure and synchronous; page-worker.ts runs it off the main thread.

import { extractMain, type MainContent } from './extraction/extract-main.ts'
import { repairMojibake } from './extraction/mojibake.ts'
import { toMarkdown } from './markdown.ts'
import { type CleanedPage, cleanPage } from './page/clean.ts'
import { feedToHtml } from './page/feed.ts'
import type { Survey } from './page/survey.ts'

export type PageFormat = 'markdown' | 'html'

export interface ShapeTask {
  readonly html: string
  readonly url: string
  readonly format: PageFormat
  readonly mainContent: boolean
  /** The HTML is what a browser made of the page. */
  readonly rendered?: boolean
  /** It is a feed and not HTML: RSS, Atom or JSON Feed. */
  readonly feed?: boolean
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

export function shapePage(asked: ShapeTask): ShapedPage {
  const html = asked.feed ? feedToHtml(asked.html) : repairMojibake(asked.html)
  const task = { ...asked, html }
  const page = cleanPage(html, task.url, { hints: true, rendered: task.rendered ?? false })
  const { survey } = page
  const main = task.mainContent && !task.plain ? extractMain(task.html, task.url) : undefined
  const content = contentOf(page, task, main).trim()
  return {
    title: main?.title ?? survey.title ?? (survey.heading || null),
    content: task.format === 'html' ? content : toMarkdown(content),
    survey: {
      ...survey,
      text: survey.text.slice(0, surveyTextCharactersMax),
      body: survey.body.slice(0, surveyTextCharactersMax),
      bodyLinks: survey.bodyLinks.slice(0, surveyTextCharactersMax),
    },
  }
}

function contentOf(page: CleanedPage, task: ShapeTask, main: MainContent | undefined): string {
  const { html, baseUrl, survey } = page
  const whole = () => cleanPage(html, baseUrl, { hints: false }).html
  if (!task.mainContent) return whole()
  // A page may stand where the extractor does not look.
  if (main !== undefined && main.words >= survey.proseWords * proseShareMin)
    return cleanPage(main.html, baseUrl, { hints: false }).html
  const rest = cleanPage(html, baseUrl, { hints: false, drop: furniture, visibleOnly: true })
  // A page may be all furniture, a site map for instance; then its furniture is its content.
  return rest.survey.words >= survey.words * wordsLeftMin ? rest.html : whole()
}

const wordsLeftMin = 0.1
const proseShareMin = 0.1
