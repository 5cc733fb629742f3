// What callers may say about how pages are read and returned, beside what the spec names. Everything here is optional.

import {
  type ContentForm,
  linksAsFootnotes,
  type PageFormat,
  parseSelector,
  type ReadOptions,
  SelectorError,
  selectorCharactersMax,
  takePortion,
} from '@tollway/reader'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { maxAgeSecondsMax } from '../ladder/page-cache.ts'

const tokens = { min: 50, max: 200_000 } as const
const offsetMax = 10_000_000
const selectorsMax = 10

export const selectorSchema = z
  .string()
  .min(1)
  .max(selectorCharactersMax)
  .superRefine((text, context) => {
    try {
      parseSelector(text)
    } catch (thrown) {
      if (!(thrown instanceof SelectorError)) throw thrown
      context.addIssue({ code: 'custom', message: thrown.message })
    }
  })

/** Of both page-reading actions. */
export const sharedOptions = {
  format: z.enum(['markdown', 'html']).default('markdown'),
  main_content: z
    .boolean()
    .default(true)
    .describe('Leave out navigation and other furniture of the site.'),
  formats: z
    .array(z.enum(['markdown', 'html', 'links', 'images', 'screenshot']))
    .max(5)
    .optional()
    .describe(
      'Forms of the page beside `content`, each in a field of its name. `content` itself is in `format`. A screenshot needs a browser on the gateway.',
    ),
  include_selectors: z
    .array(selectorSchema)
    .max(selectorsMax)
    .optional()
    .describe(
      'CSS selectors: only these elements are returned, instead of the main content. Tags, classes, ids, attributes, descendants and children.',
    ),
  exclude_selectors: z
    .array(selectorSchema)
    .max(selectorsMax)
    .optional()
    .describe('CSS selectors: these elements are left out.'),
  max_age: z
    .int()
    .min(1)
    .max(maxAgeSecondsMax)
    .optional()
    .describe(
      'Seconds. A page that was read for any caller within this time may be returned again: `cached`, at the same price.',
    ),
  link_style: z
    .enum(['inline', 'footnotes'])
    .optional()
    .describe('Links of Markdown where they stand, or as numbers with their addresses at the end.'),
  max_tokens: z
    .int()
    .min(tokens.min)
    .max(tokens.max)
    .optional()
    .describe(
      'The most tokens of content in a row, as estimated. Markdown ends at the end of a block; `next_offset` tells where to go on.',
    ),
}

/** Of the action that reads single pages. */
export const pageOptions = {
  offset: z
    .int()
    .min(0)
    .max(offsetMax)
    .optional()
    .describe(
      'Where the content begins, in characters: `next_offset` of an earlier call. For one URL.',
    ),
}

export interface ContentOptions {
  readonly format: PageFormat
  readonly main_content: boolean
  readonly formats?: readonly (ContentForm | 'screenshot')[] | undefined
  readonly include_selectors?: readonly string[] | undefined
  readonly exclude_selectors?: readonly string[] | undefined
  readonly link_style?: 'inline' | 'footnotes' | undefined
  readonly max_tokens?: number | undefined
  readonly offset?: number | undefined
}

/** What the reader is asked for. */
export function toReadOptions(options: ContentOptions): ReadOptions {
  const { format, formats = [], main_content: mainContent } = options
  return {
    format,
    mainContent,
    also: formats.filter((form): form is ContentForm => form !== 'screenshot' && form !== format),
    include: options.include_selectors,
    exclude: options.exclude_selectors,
  }
}

/** Throws `bad_request` for options that do not go together. */
export function checkContentOptions(options: ContentOptions, urls: number): void {
  const { format, link_style: linkStyle, max_tokens: tokensMax, offset } = options
  const needsMarkdown = linkStyle === 'footnotes' || tokensMax !== undefined || offset !== undefined
  if (format === 'html' && needsMarkdown)
    throw fail('bad_request', {
      message:
        'link_style, max_tokens and offset are for Markdown. Leave them out, or leave out format.',
    })
  if (offset !== undefined && urls > 1)
    throw fail('bad_request', { message: 'An offset belongs to one page. Send one URL with it.' })
}

/** The part of a page's text that the caller wants, in the form that the caller wants. */
export function shapeContent(content: string, options: ContentOptions) {
  const {
    link_style: linkStyle,
    max_tokens: tokensMax = Number.POSITIVE_INFINITY,
    offset = 0,
  } = options
  const shape = linkStyle === 'footnotes' ? linksAsFootnotes : (text: string) => text
  if (tokensMax === Number.POSITIVE_INFINITY) return { content: shape(content.slice(offset)) }
  const { text, nextOffset } = takePortion(content, { tokensMax, offset, shape })
  return { content: text, ...(nextOffset === null ? {} : { next_offset: nextOffset }) }
}
