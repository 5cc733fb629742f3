// How a caller wants a page to be asked for: as whom, in which language, and what to wait for.

/**
 * Every part is optional. Headers and cookies may be secrets: they go to the page's own host alone, and into no log.
 */
export interface VisitWish {
  /** A language tag: `de`, `pt-BR`. */
  readonly language?: string | undefined
  /** Two letters: `CH`. */
  readonly country?: string | undefined
  readonly isMobile?: boolean | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cookies?: Readonly<Record<string, string>> | undefined
  /** Milliseconds, or a CSS selector of an element. */
  readonly waitFor?: number | string | undefined
  /** A picture of the page is wanted too. */
  readonly takesPicture?: boolean | undefined
}

/** What a rung can do for a visit. Language and country are wishes that any rung may pass over. */
export type VisitSkill = 'headers' | 'cookies' | 'mobile' | 'wait' | 'wait_selector' | 'screenshot'

/** A skill that the visit needs and the rung does not have. */
export function lackingSkill(
  visit: VisitWish | undefined,
  skills: readonly VisitSkill[] = [],
): VisitSkill | undefined {
  return skillsOf(visit).find((skill) => !skills.includes(skill))
}

/** The skills that a visit needs. */
export function skillsOf(visit: VisitWish = {}): readonly VisitSkill[] {
  const { headers, cookies, isMobile, waitFor, takesPicture } = visit
  return [
    ...(isFilled(headers) ? (['headers'] as const) : []),
    ...(isFilled(cookies) ? (['cookies'] as const) : []),
    ...(isMobile ? (['mobile'] as const) : []),
    ...(typeof waitFor === 'number' ? (['wait'] as const) : []),
    ...(typeof waitFor === 'string' ? (['wait_selector'] as const) : []),
    ...(takesPicture ? (['screenshot'] as const) : []),
  ]
}

/** The page may be another one for this caller, so it is not shared. */
export function isPrivate({ headers, cookies }: VisitWish): boolean {
  return isFilled(headers) || isFilled(cookies)
}

const isFilled = (fields: Readonly<Record<string, string>> = {}) => Object.keys(fields).length > 0

/** Chrome on a phone, as far as its user agent tells. */
export const mobileUserAgent = (version: string) =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`
const mobileVersion = '143'

/** Headers that say as whom the page is asked for, to whichever host. */
export function headersOfVisit(visit: VisitWish = {}): Readonly<Record<string, string>> {
  const ranked = languagesOf(visit).map((tag, index) =>
    index === 0 ? tag : `${tag};q=${1 - index / 10}`,
  )
  return {
    ...(ranked.length === 0 ? {} : { 'accept-language': ranked.join(',') }),
    ...(visit.isMobile ? { 'user-agent': mobileUserAgent(mobileVersion) } : {}),
  }
}

/** The language as the country writes it first, English last. Empty without a wish. */
export function languagesOf(visit: VisitWish): readonly string[] {
  const locale = localeOf(visit)
  return locale === undefined ? [] : [...new Set([locale, locale.split('-', 1)[0] as string, 'en'])]
}

/** `de` and `CH` are `de-CH`. A country alone says English as it is written there. */
function localeOf({ language, country }: VisitWish): string | undefined {
  if (country === undefined) return language
  const [base = 'en'] = (language ?? 'en').split('-', 1)
  return `${base}-${country.toUpperCase()}`
}

/** Headers and cookies for the page's own host alone. */
export function ownHeadersOf({ headers = {}, cookies = {} }: VisitWish = {}) {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return { ...headers, ...(pairs.length === 0 ? {} : { cookie: pairs.join('; ') }) }
}
