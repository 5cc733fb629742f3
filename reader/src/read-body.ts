// Any textual body becomes content in the asked format and the survey that the verdict is made from.
import type { LeftOut } from './extraction/choice/left-out.ts'
import type { PageFrame } from './inline-frames.ts'
import { countWords } from './page/count-words.ts'
import { isFeed } from './page/feed.ts'
import { noMetadata, type PageMetadata } from './page/metadata.ts'
import type { Survey } from './page/survey.ts'
import {
  type ContentForms,
  type MarkupTask,
  type PageFormat,
  type ReadOptions,
  readMarkup,
} from './read-markup.ts'

/** What a body holds. `other` is anything that is not text, such as an image or an archive. */
export type PageKind = 'html' | 'markdown' | 'text' | 'json' | 'xml' | 'other'

export interface PageBody {
  readonly kind: PageKind
  readonly body: string
  readonly finalUrl: string
  /** The body is what a browser made of the page. */
  readonly rendered?: boolean
  /** What the frames of the page show; it becomes part of the page. */
  readonly frames?: readonly PageFrame[] | undefined
  /** For bodies that do not contain their title. */
  readonly title?: string | null
}

export interface ReadContent {
  readonly title: string | null
  readonly content: string
  /** `text` where there was nothing to mark up. */
  readonly format: PageFormat | 'text'
  readonly forms: ContentForms
  readonly metadata: PageMetadata
  readonly survey: Survey
  /** What stands in or next to the main content and is not in it. */
  readonly leftOut?: readonly LeftOut[]
}

/** Reads a body in this thread. Hostile HTML can take seconds: a server runs `markupTask` in a worker instead. */
export function readBody(body: PageBody, options: ReadOptions): ReadContent {
  const task = markupTask(body, options)
  return task === undefined
    ? readText(body, options)
    : contentOfMarkup(readMarkup(task), body, options)
}

/** The work that HTML or a feed needs, or undefined for other bodies, which `readText` reads at once. */
export function markupTask(
  { kind, body, finalUrl: url, rendered = false, frames }: PageBody,
  { format, mainContent, also, include, exclude }: ReadOptions,
): MarkupTask | undefined {
  const text = storable(body)
  const options = { format, mainContent, also, include, exclude }
  if (kind === 'html')
    return { html: text, url, ...options, rendered, frames: frames?.map(storableFrame) }
  const html = text.trim()
  return isFeed(kind, html) ? { html, url, ...options, mainContent: false, feed: true } : undefined
}

export function contentOfMarkup(
  page: Omit<ReadContent, 'format'>,
  { title }: PageBody,
  { format }: ReadOptions,
): ReadContent {
  return { ...page, title: page.title ?? title ?? null, format }
}

/** Text, Markdown and data as they are; JSON and XML in a fence where Markdown is asked for. */
export function readText(
  { kind, body, title }: PageBody,
  { format }: Pick<ReadOptions, 'format'>,
): ReadContent {
  const text = storable(body).trim()
  const isData = kind === 'json' || kind === 'xml'
  const isFenced = isData && format === 'markdown' && text !== ''
  return {
    title: title ?? null,
    content: isFenced ? fence(text, kind) : text,
    format: isFenced || kind === 'markdown' ? 'markdown' : 'text',
    forms: {},
    metadata: noMetadata,
    survey: surveyText(text),
  }
}

/**
 * PostgreSQL stores neither NUL nor lone surrogates in JSON. Most pages hold nothing of the kind, which one search
 * tells.
 */
function storable(text: string): string {
  return maybeUnstorable.test(text) ? text.toWellFormed().replaceAll('\0', '') : text
}

const maybeUnstorable = /[\0\ud800-\udfff]/

function storableFrame({ html, frames, ...frame }: PageFrame): PageFrame {
  return { ...frame, html: storable(html), frames: frames?.map(storableFrame) }
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
    quotedWords: 0,
    proseWords: words,
    elements: 0,
    placeholders: 0,
    emptyBoxes: 0,
    templateFields: 0,
    scripts: 0,
    scriptCharacters: 0,
    noscript: '',
    passwordFields: 0,
    checks: 0,
    buttons: '',
    refresh: null,
    names: '',
    isUnlisted: false,
    emptyRoot: false,
    hasRoot: false,
    cut: whole.length > text.length,
  }
}
