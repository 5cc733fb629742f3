// HTML or a feed becomes content in the asked format, and the survey that the verdict is made from. The page is parsed once.
import { buildContent, type ContentChoice, type ContentElement } from './content/content-tree.ts'
import { writeHtml } from './content/write-html.ts'
import { extractMain, type MainContent } from './extraction/extract-main.ts'
import { repairMojibake } from './extraction/mojibake.ts'
import { toMarkdown } from './markdown.ts'
import { baseUrlOf } from './page/base-url.ts'
import { feedToHtml } from './page/feed.ts'
import { type PageMetadata, readMetadata } from './page/metadata.ts'
import { type SeenPage, seePage } from './page/see-page.ts'
import { type Survey, surveyPage } from './page/survey.ts'

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
  readonly metadata: PageMetadata
  readonly survey: Survey
}

/** Dropped from pages without main content. */
const furniture: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'menu', 'search'])

export function readMarkup(task: MarkupTask): MarkupContent {
  const html = task.feed ? feedToHtml(task.html) : repairMojibake(task.html)
  const page = seePage(html, { isRendered: task.rendered ?? false })
  const survey = surveyPage(page)
  const main = task.mainContent && !task.plain ? extractMain(page, task.url) : undefined
  const content = contentOf(page, survey, task, main)
  const baseUrl = baseUrlOf(page, task.url)
  const written = writeHtml(content.children, baseUrl).trim()
  return {
    title: main?.title ?? survey.title ?? (survey.heading || null),
    content: task.format === 'html' ? written : toMarkdown(written),
    metadata: readMetadata(page, baseUrl),
    survey,
  }
}

function contentOf(
  page: SeenPage,
  survey: Survey,
  { mainContent }: MarkupTask,
  main: MainContent | undefined,
): ContentElement {
  const choose = (choice: ContentChoice) => buildContent(page, choice)
  if (!mainContent) return choose({})
  // The extractor may miss the page: then its part is small.
  if (main !== undefined && main.words >= survey.proseWords * proseShareMin)
    return choose({ taken: main.taken })
  // A page may be all furniture, such as a site map.
  return survey.words - survey.furnitureWords >= survey.words * wordsLeftMin
    ? choose({ drop: furniture })
    : choose({})
}

const wordsLeftMin = 0.1
const proseShareMin = 0.1
