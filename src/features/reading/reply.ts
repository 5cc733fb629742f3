// A rung's reply becomes content in the caller's format, and the evidence for the yield check.

import { isFeed } from './feed.ts'
import type { PageWorkers } from './page-workers.ts'
import type { RungReply } from './rungs.ts'
import type { PageFormat } from './shape.ts'
import { countWords, type Survey } from './survey.ts'

export interface ReadContent {
  readonly title: string | null
  readonly content: string
  /** What it turned out to be: text where there was nothing to mark up. */
  readonly format: PageFormat | 'text'
  readonly survey: Survey
}

export async function shapeReply(
  reply: RungReply,
  options: { readonly format: PageFormat; readonly mainContent: boolean },
  workers: PageWorkers,
): Promise<ReadContent> {
  // Neither a zero nor half a character can be kept as JSON in the database.
  const body = reply.body.toWellFormed().replaceAll('\0', '')
  if (reply.kind === 'html') {
    const { format, mainContent } = options
    const { finalUrl: url, rendered = false } = reply
    const page = await workers.shape({ html: body, url, format, mainContent, rendered })
    return { ...page, title: page.title ?? reply.title ?? null, format }
  }
  const text = body.trim()
  if (isFeed(reply.kind, text)) {
    const { format } = options
    const task = { html: text, url: reply.finalUrl, format, mainContent: false, feed: true }
    return { ...(await workers.shape(task)), format }
  }
  const data = reply.kind === 'json' || reply.kind === 'xml'
  const fenced = data && options.format === 'markdown' && text !== ''
  return {
    title: reply.title ?? null,
    content: fenced ? fence(text, reply.kind) : text,
    format: fenced || reply.kind === 'markdown' ? 'markdown' : 'text',
    survey: surveyText(text),
  }
}

/** The fence is longer than any inside. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^`{3,}/gm)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${language}\n${text}\n${mark}`
}

const surveyedCharactersMax = 16_000

function surveyText(whole: string): Survey {
  const text = whole.slice(0, surveyedCharactersMax)
  const words = countWords(text)
  return {
    title: null,
    heading: '',
    text,
    body: text,
    bodyLinks: '',
    words,
    linkWords: 0,
    furnitureWords: 0,
    codeWords: 0,
    proseWords: words,
    elements: 0,
    scripts: 0,
    scriptCharacters: 0,
    noscript: '',
    passwordFields: 0,
    buttons: '',
    refresh: null,
    names: '',
    isUnlisted: false,
    emptyRoot: false,
    cut: whole.length > text.length,
  }
}
