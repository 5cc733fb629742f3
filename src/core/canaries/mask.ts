// Masks secrets and personal data in a fixture. A value has the same mask in the request, the reply and the output, so
// they still match.
import { secretCharactersMin } from '../input/secret-length.ts'

const masked = 'masked'
/** Shorter names are masked only under their own key, not in running text. */
const nameCharactersMin = 4

const secretKey =
  /(^|_)(tokens?|secrets?|passwords?|passwd|api_?keys?|authorization|cookies?|sessions?|session_id|signature|sig|jwt|private_key|access_key|credentials?|otp)$/
const personKey =
  /(^|_)(first|last|full|given|family|middle|maiden|person|contact|buyer|customer|recipient|owner)_?name$/
const phoneKey = /(^|_)(phones?|phone_numbers?|mobiles?|fax|tel|telephone)$/
const streetKey = /(^|_)(street|street_address|address_?(line_?)?[12])$/
/** The address of a person. That of a business or a wallet is public. */
const addressKey = /(^|_)address$/
const postalKey = /(^|_)(zip|zip_code|postal_code|postcode)$/
const birthKey = /(^|_)(birth_?date|date_of_birth|dob|birthday)$/
const ipKey = /(^|_)(ip|ip_address|remote_addr)$/
/** An object with one of these keys is a person, so its `name` is masked. */
const personMarks =
  /(^|_)(emails?|phones?|mobile|linkedin|linkedin_url|job_title|first_name|birth_date)$/

/** Each pattern reads a text once: a vendor's text may be long, and every call waits while it is read. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\beyJ(?:(?!-eyJ)[\w-]){8,}\.[\w-]+\.[\w-]+/g, masked],
  [/\b(sk|pk|rk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[A-Za-z0-9_-]{12,}/g, masked],
  [/\b(Bearer|Basic) [\w.~+/=-]{6,}/g, `$1 ${masked}`],
  [/(\/\/)[^/\s:@"]+:[^/\s@"]+@/g, `$1${masked}@`],
  [
    /([?&](?:token|key|api_?key|sig|signature|auth|access_token|session|password|X-Amz-[\w-]+)=)[^&#\s"<]+/gi,
    `$1${masked}`,
  ],
  [/\b\d{3}-\d{2}-\d{4}\b/g, '000-00-0000'],
]
const email = /(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/gi
const profile = /(linkedin\.com\/in\/)[\w%-]+/gi
const phone = /\+\d[\d ().-]{7,}\d/g
const bankAccount = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g
const card = /\b\d{4}([ -]?)(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{5})\b/g

interface Mask {
  /** A copy that may be published. */
  apply(value: unknown): unknown
}

/** `secrets`: those of the operator. `keep`: texts that are already public, such as those of an action's example. */
export function createMask(options: {
  readonly secrets: readonly string[]
  readonly keep: readonly string[]
}): Mask {
  const secrets = options.secrets.filter((secret) => secret.length >= secretCharactersMin)
  const keep = new Set(options.keep)
  const pseudonyms = createPseudonyms()
  const standIn = (kind: string, value: string, write: (number: number) => string): string =>
    keep.has(value) ? value : pseudonyms.of(kind, value, write)

  function maskText(text: string): string {
    if (keep.has(text)) return text
    let clean = text
    for (const secret of secrets) clean = clean.replaceAll(secret, masked)
    for (const [pattern, by] of patterns) clean = clean.replace(pattern, by)
    return clean
      .replace(bankAccount, (found) => (isBankAccount(found) ? 'XX00000000000000' : found))
      .replace(card, (found) => (isCard(found) ? '0000000000000000' : found))
      .replace(email, (found) => standIn('email', found, (n) => `person${n}@example.org`))
      .replace(profile, (found, site) => standIn('profile', found, (n) => `${site}person-${n}`))
      .replace(phone, (found) => standIn('phone', found, phoneMask))
  }

  function maskLeaf(key: string, value: string | number, isPerson: boolean): string | number {
    const text = String(value)
    if (keep.has(text) || text === '') return value
    if (secretKey.test(key)) return typeof value === 'number' ? 0 : masked
    if (typeof value === 'number') return phoneKey.test(key) ? 15550100000 : value
    if (personKey.test(key) || (isPerson && key === 'name'))
      return standIn('name', text, (n) => `Person ${n}`)
    if (phoneKey.test(key)) return standIn('phone', text, phoneMask)
    const isHome = isPerson && addressKey.test(key) && /\d/.test(text) && /\s/.test(text)
    if (streetKey.test(key) || isHome) return standIn('street', text, (n) => `${n} Main St`)
    if (postalKey.test(key)) return '00000'
    if (birthKey.test(key)) return '1990-01-01'
    if (ipKey.test(key)) return standIn('ip', text, (n) => `192.0.2.${n}`)
    return maskText(text)
  }

  function walk(value: unknown, key: string, isPerson: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => walk(item, key, isPerson))
    if (typeof value === 'string' || typeof value === 'number')
      return maskLeaf(key, value, isPerson)
    if (typeof value !== 'object' || value === null) return value
    const keys = Object.keys(value).map(snakeCase)
    const person = keys.some((name) => personMarks.test(name))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        maskText(name),
        walk(item, snakeCase(name), person),
      ]),
    )
  }

  /** A name that was masked under its key may also occur in a text elsewhere. */
  const replaceKnown = (text: string) => (keep.has(text) ? text : pseudonyms.replaceIn(text))

  return { apply: (value) => mapTexts(walk(value, '', false), replaceKnown) }
}

/** The check digits of ISO 13616. */
function isBankAccount(text: string): boolean {
  const compact = text.replaceAll(' ', '')
  const digits = [...compact.slice(4), ...compact.slice(0, 4)].map((sign) => parseInt(sign, 36))
  return digits.reduce((rest, value) => (rest * (value > 9 ? 100 : 10) + value) % 97, 0) === 1
}

/** The check digit of Luhn. */
function isCard(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, '')].toReversed().map(Number)
  const sum = digits.reduce((total, digit, place) => {
    const counted = place % 2 === 0 ? digit : digit * 2
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}

/** A pattern finds these anywhere in a text, so they are not searched for again. */
const foundByPattern = new Set(['email', 'profile'])

const phoneMask = (number: number) => `+1555010${String(number).padStart(4, '0')}`

/** Remembers the pseudonym of each personal value. The values of each kind are numbered from 1. */
function createPseudonyms() {
  const byValue = new Map<string, string>()
  const numbered = new Map<string, number>()
  const named = new Set<string>()
  return {
    of(kind: string, value: string, write: (number: number) => string): string {
      const known = byValue.get(value)
      if (known !== undefined) return known
      const number = (numbered.get(kind) ?? 0) + 1
      numbered.set(kind, number)
      byValue.set(value, write(number))
      if (!foundByPattern.has(kind) && value.length >= nameCharactersMin) named.add(value)
      return write(number)
    },
    replaceIn(text: string): string {
      let clean = text
      for (const original of named)
        clean = clean.replaceAll(original, byValue.get(original) ?? masked)
      return clean
    },
  }
}

/** A copy of a JSON value with each text changed, and each name of a field by `changeName`. */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  changeName: (name: string) => string = String,
): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, changeName))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      changeName(name),
      mapTexts(item, change, changeName),
    ]),
  )
}

const snakeCase = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** The operator's credentials among these settings. */
export const secretsOf = (variables: Iterable<readonly [name: string, value: string]>): string[] =>
  [...variables].flatMap(([name, value]) => (name.endsWith('_KEY') ? value : []))

/** All texts in a value, numbers included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
