// What callers may say about how a page is asked for. Everything here is optional.

import { z } from '#core/action.ts'
import type { VisitWish } from '../ladder/visit.ts'
import { selectorSchema } from './options.ts'

const waitMsMax = 10_000
const fieldsMax = 20
const valueCharactersMax = 4_000
const timeoutMsMin = 1_000

/** Of both page-reading actions; a page takes at most `timeoutMsMax`. */
export const visitOptions = (timeoutMsMax: number) => ({
  wait_for: z
    .union([z.int().min(0).max(waitMsMax), selectorSchema])
    .optional()
    .describe(
      'Read the page in a browser after so many milliseconds, or once an element fits this CSS selector.',
    ),
  timeout_ms: z
    .int()
    .min(timeoutMsMin)
    .max(timeoutMsMax)
    .optional()
    .describe('The longest that each page may take.'),
  mobile: z.boolean().optional().describe('Ask for the page as a phone.'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/, 'Send a language tag, such as de or pt-BR')
    .optional()
    .describe('Ask for the page in this language: de, pt-BR.'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'Send the two letters of a country, such as CH')
    .optional()
    .describe(
      'Ask for the page as it is for this country: CH. The connection still comes from the gateway.',
    ),
})

/** RFC 9110, "token". */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Visible text of Latin-1, as header fields carry it, without blanks at its ends. */
const headerText = /^(?:[\x21-\x7e\xa0-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?)?$/
/** RFC 6265, "cookie-octet". */
const cookieText = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** The connection decides these, or `cookies` does. */
const reservedHeaders =
  /^(?:host|content-.*|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|expect|cookie|accept-encoding|range|if-.*|sec-.*)$/i

const fewFields = (fields: object) => Object.keys(fields).length <= fieldsMax

/** Of the action that answers at once: its input is not stored, as that of a job is. */
export const secretOptions = {
  headers: z
    .record(
      z
        .string()
        .regex(token)
        .refine((name) => !reservedHeaders.test(name), {
          message: 'This header cannot be set',
        }),
      z.string().max(valueCharactersMax).regex(headerText, 'Not the text of a header'),
    )
    .refine(fewFields, { message: `At most ${fieldsMax} headers` })
    .optional()
    .describe(
      'Headers for the host of each URL alone, never for where it redirects to. Not stored, not logged, not sent to vendors or browsers.',
    ),
  cookies: z
    .record(
      z.string().regex(token),
      z.string().max(valueCharactersMax).regex(cookieText, 'Not the text of a cookie'),
    )
    .refine(fewFields, { message: `At most ${fieldsMax} cookies` })
    .optional()
    .describe(
      'Cookies for the host of each URL alone, by name. Not stored, not logged, not sent to vendors.',
    ),
}

export interface VisitInput {
  readonly formats?: readonly string[] | undefined
  readonly wait_for?: number | string | undefined
  readonly mobile?: boolean | undefined
  readonly language?: string | undefined
  readonly country?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cookies?: Readonly<Record<string, string>> | undefined
}

export function toVisit(input: VisitInput): VisitWish {
  const { wait_for: waitFor, mobile: isMobile, language, country, headers, cookies } = input
  const takesPicture = input.formats?.includes('screenshot')
  return { waitFor, isMobile, language, country, headers, cookies, takesPicture }
}
