// HTML or a feed becomes content in the asked format, and the survey that the verdict is made from. The page is parsed
// once.
import { buildContent, type ContentChoice } from './content/content-tree.ts'
import { listImages, listLinks, type PageImage, type PageLink } from './content/listings.ts'
import type { ContentElement } from './content/nodes.ts'
import { writeHtml } from './content/write-html.ts'
import type { LeftOut } from './extraction/choice/left-out.ts'
import { extractMain, type MainContent } from './extraction/extract-main.ts'
import { repairMojibake } from './extraction/mojibake.ts'
import { inlineFrames, type PageFrame } from './inline-frames.ts'
import { writeMarkdown } from './markdown/blocks.ts'
import { baseUrlOf } from './page/base-url.ts'
import { feedToHtml } from './page/feed.ts'
import { type PageMetadata, readMetadata } from './page/metadata.ts'
import { type SeenPage, seePage } from './page/see-page.ts'
import { type Survey, surveyPage } from './page/survey.ts'

import { hasIncludes, type SelectionWish, selectEvents } from './selection/select-events.ts'

export type PageFormat = 'markdown' | 'html'

/** What is wanted of a page. */
export interface ReadOptions extends SelectionWish {
  readonly format: PageFormat
  readonly mainContent: boolean
  /** Forms of the content beside `format`. */
  readonly also?: readonly ContentForm[] | undefined
}

export type ContentForm = PageFormat | 'links' | 'images'

/** The forms of `also`. */
export interface ContentForms {
  readonly markdown?: string
  readonly html?: string
  readonly links?: readonly PageLink[]
  readonly images?: readonly PageImage[]
}

export interface MarkupTask extends ReadOptions {
  readonly html: string
  readonly url: string
  /** The HTML is what a browser made of the page. */
  readonly rendered?: boolean
  readonly frames?: readonly PageFrame[] | undefined
  /** `html` is a feed: RSS, Atom or JSON Feed. */
  readonly feed?: boolean
  /** Skip the search for main content. This takes linear time on any page, and is the second try after a timeout. */
  readonly plain?: boolean
}

export interface MarkupContent {
  readonly title: string | null
  /** Empty where no element of the page fits the selectors of `include`. */
  readonly content: string
  readonly forms: ContentForms
  readonly metadata: PageMetadata
  readonly survey: Survey
  /** What stands in or next to the main content and is not in it. Absent where there is nothing, and with selectors. */
  readonly leftOut?: readonly LeftOut[]
}

/** Dropped from pages without main content. */
const furniture: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'menu', 'search'])

export function readMarkup(task: MarkupTask): MarkupContent {
  const options = { isRendered: task.rendered ?? false }
  const source = task.feed
    ? feedToHtml(task.html)
    : repairMojibake(inlineFrames(task.html, task.frames, options))
  const page = seePage(source, options)
  const survey = surveyPage(page)
  const searches = task.mainContent && !task.plain && !hasIncludes(task)
  const found = searches ? extractMain(page, task.url) : undefined
  const main = found !== undefined && isFound(found, survey) ? found : undefined
  const content = contentOf(page, survey, task, main)
  const baseUrl = baseUrlOf(page, task.url)
  const write = (format: PageFormat) =>
    format === 'html'
      ? writeHtml(content.children, baseUrl).trim()
      : writeMarkdown(content, baseUrl)
  const { also = [] } = task
  return {
    title: found?.title ?? survey.title ?? (survey.heading || null),
    content: write(task.format),
    forms: {
      ...(also.includes('markdown') && { markdown: write('markdown') }),
      ...(also.includes('html') && { html: write('html') }),
      ...(also.includes('links') && { links: listLinks(content, baseUrl) }),
      ...(also.includes('images') && { images: listImages(content, baseUrl) }),
    },
    metadata: readMetadata(page, baseUrl),
    survey,
    ...leftOutOf(main, task),
  }
}

function contentOf(
  page: SeenPage,
  survey: Survey,
  task: MarkupTask,
  main: MainContent | undefined,
): ContentElement {
  const choose = ({ taken, drop }: ContentChoice) =>
    buildContent(page, { taken: selectEvents(page, task, taken), drop })
  if (!task.mainContent || hasIncludes(task)) return choose({})
  if (main !== undefined) return choose({ taken: main.taken })
  // A page may be all furniture, such as a site map.
  return survey.words - survey.furnitureWords >= survey.words * wordsLeftMin
    ? choose({ drop: furniture })
    : choose({})
}

function leftOutOf(main: MainContent | undefined, { exclude = [] }: MarkupTask) {
  const { leftOut = [] } = main ?? {}
  return leftOut.length > 0 && exclude.length === 0 ? { leftOut } : {}
}

/** The extractor may miss the page: then its part is small, and it is not sure of it. */
function isFound({ words, confidence }: MainContent, { proseWords }: Survey): boolean {
  return words >= proseWords * proseShareMin || confidence >= confidenceMin
}

const confidenceMin = 0.5
const wordsLeftMin = 0.1
const proseShareMin = 0.1
