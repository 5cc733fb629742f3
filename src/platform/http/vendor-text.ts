// Finds a vendor's explanation of a refused request, cleans it and limits its length. The text is untrusted: it may
// contain markup, control characters, this gateway's key or details of its account.

import { membersOf } from '#core/input/members.ts'
import { patternOf } from './secret-forms.ts'

const charactersMax = 500
/** Enough for any message, and little enough for the patterns to be fast. */
const charactersReadMax = 8_000
const sentencesMax = 10
const depthMax = 5

/** The text to pass on; undefined if the reply holds no text that the caller may read. */
export function readVendorText(
  body: unknown,
  { secrets, sent }: { secrets: readonly string[]; sent: string },
): string | undefined {
  const found = isMarkup(body) ? [] : findSentences(body)
  const text = clean(found.slice(0, sentencesMax).join('; ').slice(0, charactersReadMax))
  if (text === '' || operatorsBusiness.test(text)) return undefined
  const safe = redactCredentials(redactSecrets(text, secrets), sent)
  const characters = [...safe]
  return characters.length > charactersMax
    ? `${characters.slice(0, charactersMax).join('')}…`
    : safe
}

const isMarkup = (body: unknown) =>
  typeof body === 'string' && /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(body)

/** Fields in which vendors explain an error, the most specific first. */
const messageFields = [
  'message',
  'msg',
  'error_description',
  'error_message',
  'errorMessage',
  'detail',
  'details',
  'description',
  'reason',
  'errors',
  'error',
  'validationErrors',
  'title',
] as const
/** Fields in which vendors name the parameter. */
const placeFields = ['loc', 'path', 'field', 'param', 'parameter', 'property'] as const

function findSentences(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value !== 'object' || value === null || depth > depthMax) return []
  if (Array.isArray(value))
    return value.slice(0, sentencesMax).flatMap((item) => findSentences(item, depth + 1))
  const record = membersOf(value)
  const sentences = messageFields
    .map((name) => findSentences(record[name], depth + 1))
    .find((found) => found.length > 0)
  if (sentences === undefined) return []
  const place = placeFields.map((name) => readPlace(record[name])).find((name) => name !== '')
  return place === undefined ? sentences : sentences.map((sentence) => `${place}: ${sentence}`)
}

/** `['body', 'job_title_or']` becomes `job_title_or`. */
function readPlace(value: unknown): string {
  const parts = (Array.isArray(value) ? value : [value]).filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return (parts[0] === 'body' || parts[0] === 'query' ? parts.slice(1) : parts).join('.')
}

/** One line without markup, invisible characters and marks that change the direction of text. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/<(script|style)\b[^>]*>.*?(<\/\1\s*>|$)/gis, ' ')
    .replaceAll(/<!--.*?(-->|$)/gs, ' ')
    .replaceAll(/<\/?[a-z][^>]*(>|$)/gi, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .replaceAll(/<(?=[a-z/!])/gi, '< ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Matters between the operator and the vendor, such as keys, plans and bills. Such a text is not passed on. */
const operatorsBusiness =
  /\b(api[ _-]?keys?|apikeys?|access[ _-]?keys?|secret|credentials?|unauthori[sz]ed|unauthenticated|authenticat\w*|authori[sz]ation|(access|auth|bearer|invalid|expired) token|credits?|quotas?|balance|billing|billed|payments?|invoices?|overdue|subscri\w*|upgrade|pricing|insufficient funds|(your|this|the) (account|plan|organi[sz]ation|workspace|project)|account (is|was|has|suspended|disabled)|suspended|trial|licen[cs]e|usage limit)\b/i

/** Redacts each secret and its parts, in all the forms of `secret-forms.ts`. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const pattern = patternOf(secrets)
  return pattern === undefined ? text : text.replaceAll(pattern, redacted)
}

const redacted = '[redacted]'

/** Credentials, e-mail addresses, network addresses and signed links, unless the caller sent them. */
const sensitive = [
  /\b(bearer|basic|token|key)[\s:=]+["']?[\w.~+/=-]{8,}/gi,
  /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g,
  /\b(sk|pk|rk|tw|ghp|xox[a-z]|AKIA)[-_][\w-]{8,}/g,
  /[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63})+/g,
  /\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g,
  /(?<=https?:\/\/[^\s"'<>?]{1,500}\?)[^\s"'<>]+/g,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}\b/gi,
]

const redactCredentials = (text: string, sent: string): string =>
  sensitive.reduce(
    (left, pattern) =>
      left.replaceAll(pattern, (match) => (sent.includes(match) ? match : redacted)),
    text,
  )
