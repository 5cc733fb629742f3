// HTML or a feed becomes content in the asked format, and the survey that the verdict is made from.

import { extractMain, type MainContent } from './extraction/extract-main.ts'
import { repairMojibake } from './extraction/mojibake.ts'
import { toMarkdown } from './markdown.ts'
import { type CleanedPage, cleanPage } from './page/clean.ts'
import { feedToHtml } from './page/feed.ts'
import type { Survey } from './page/survey.ts'

export type PageFormat = 'markdown' | 'html'

export interface MarkupTask {
  readonly html: string
  readonly url: string
  readonly format: PageFormat
  readonly mainContent: boolean
  /** The HTML is what a browser made of the page. */
  readonly rendered?: boolean
  /** `html` is a feed: RSS, Atom or JSON Feed. */
  readonly feed?: boolean
  /** Skip the search for main content. This takes linear time on any page, and is the second try after a timeout. */
  readonly plain?: boolean
}

export interface MarkupContent {
  readonly title: string | null
  readonly content: string
  readonly survey: Survey
}

/** The verdict needs no more, and a long text need not cross between threads. */
const surveyTextCharactersMax = 16_000

/** Dropped from pages without main content. */
const furniture: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'menu', 'search'])

export function readMarkup(asked: MarkupTask): MarkupContent {
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

function contentOf(page: CleanedPage, task: MarkupTask, main: MainContent | undefined): string {
  const { html, baseUrl, survey } = page
  const whole = () => cleanPage(html, baseUrl, { hints: false }).html
  if (!task.mainContent) return whole()
  // The extractor may miss the page: then its part is small.
  if (main !== undefined && main.words >= survey.proseWords * proseShareMin)
    return cleanPage(main.html, baseUrl, { hints: false }).html
  const rest = cleanPage(html, baseUrl, { hints: false, drop: furniture, visibleOnly: true })
  // A page may be all furniture, such as a site map.
  return rest.survey.words >= survey.words * wordsLeftMin ? rest.html : whole()
}

const wordsLeftMin = 0.1
const proseShareMin = 0.1
