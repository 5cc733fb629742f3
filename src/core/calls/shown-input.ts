// The input of a call as its owner sees it later: shortened, and without secrets.

const charactersMax = 2_000
/** Of an input that is shown as one text. Quotes in it are written with a backslash. */
const wholeCharactersMax = 900
const textCharactersMax = 300
const rowsMax = 20
const depthMax = 6

const hidden = '(hidden)'
/** Names of fields that hold a secret, in snake, kebab or camel case. */
const secretName =
  /(^|[_-])(api_?key|key|token|secret|password|passwd|pwd|authorization|auth|cookie|credentials?|signature|private_key)$/i
const camelCase = /([a-z0-9])([A-Z])/g
/** Secrets that stand in other texts: bearer tokens, keys with a known beginning, and passwords in addresses. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${hidden}`],
  [
    /\b(tw_live_|sk-|sk_live_|sk_test_|ghp_|github_pat_|xox[abp]-|AKIA)[A-Za-z0-9_-]{8,}/g,
    `$1${hidden}`,
  ],
  [/(\/\/[^/\s:@]+:)[^/\s@]+@/g, `$1${hidden}@`],
  [
    /([?&](?:api_?key|key|token|access_token|secret|password|sig|signature)=)[^&\s#"]+/gi,
    `$1${hidden}`,
  ],
]

/** JSON text of at most 2,000 characters. Undefined for an input without fields. */
export function shownInput(input: unknown): string | undefined {
  const shown = JSON.stringify(shorten(input, 0))
  if (shown === undefined || shown === '{}') return undefined
  return shown.length <= charactersMax
    ? shown
    : JSON.stringify(`${storable(shown.slice(0, wholeCharactersMax))} …`)
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return '…'
  if (Array.isArray(value)) {
    const rows = value.slice(0, rowsMax).map((row) => shorten(row, depth + 1))
    return value.length > rowsMax ? [...rows, `… ${value.length - rowsMax} more`] : rows
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      storable(name),
      isSecret(name) && inner !== null ? hidden : shorten(inner, depth + 1),
    ]),
  )
}

/** PostgreSQL takes no U+0000 in JSON, and no half of a pair. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

const isSecret = (name: string) => secretName.test(name.replaceAll(camelCase, '$1_$2'))

function shortenText(text: string): string {
  // A secret is hidden before a cut could leave its beginning.
  const masked = secretTexts.reduce(
    (left, [pattern, mask]) => left.replaceAll(pattern, mask),
    storable(text.slice(0, 2 * textCharactersMax)),
  )
  if (masked.length <= textCharactersMax && text.length <= 2 * textCharactersMax) return masked
  return `${storable(masked.slice(0, textCharactersMax))} … (${text.length.toLocaleString('en-US')} characters)`
}
