// The values that people say in a sentence: how many, since when, where, how long.

/** Where the words of a value stand in the text. */
export interface Said {
  readonly start: number
  readonly end: number
}

/** `in the last week`, `since 2022`, `in March 2024`: days as YYYY-MM-DD, both included. */
export interface DaysInWords {
  readonly from?: string
  readonly to?: string
  /** It looks back so many days from today. */
  readonly days?: number
  /** A span of the calendar, as `last_month` or `this_year`. */
  readonly named?: string
}

interface ValuesByKind {
  /** `the last 20`, `50 tweets`. The noun is in lower case, and may be empty. */
  readonly count: { readonly count: number; readonly noun: string }
  readonly period: DaysInWords
  /** Two letters of ISO 3166. `isOrigin`: said as an adjective, as in `German companies`. */
  readonly country: { readonly code: string; readonly isOrigin: boolean }
  /** A city or region, in the caller's words. */
  readonly place: { readonly name: string }
  /** Two letters of ISO 639. */
  readonly language: { readonly code: string }
  /** `over 100m`, `at least 50 employees`, `250k to 1m`. */
  readonly bound: {
    readonly least?: number
    readonly most?: number
    readonly noun: string
    readonly isMoney: boolean
  }
  readonly duration: { readonly seconds: number }
  /** Pixels. */
  readonly size: { readonly width?: number; readonly height?: number }
  readonly ratio: { readonly ratio: string }
  readonly order: {
    readonly by: 'date' | 'citations' | 'amount'
    readonly direction: 'asc' | 'desc'
  }
  /** `pages 5 to 12`. */
  readonly pages: { readonly first: number; readonly last: number }
  /** `MODE=test`. */
  readonly assignment: { readonly name: string; readonly value: string }
}

export type ValueKind = keyof ValuesByKind

/** One value of this kind, with the place of its words. */
export type SaidOf<Kind extends ValueKind> = Said & { readonly kind: Kind } & ValuesByKind[Kind]

export type SaidValue = { [Kind in ValueKind]: SaidOf<Kind> }[ValueKind]

/** `today`: YYYY-MM-DD. */
export type ValueReader = (text: string, today: string) => readonly SaidValue[]

export function placeOf(match: RegExpMatchArray): Said {
  const start = match.index ?? 0
  return { start, end: start + match[0].length }
}

/** What a match becomes, with its place. */
export function placed<Kind extends ValueKind>(
  kind: Kind,
  match: RegExpMatchArray,
  value: ValuesByKind[Kind],
): SaidOf<Kind> {
  return { kind, ...placeOf(match), ...value } as unknown as SaidOf<Kind>
}

export const isOf =
  <Kind extends ValueKind>(kind: Kind) =>
  (value: SaidValue): value is Extract<SaidValue, { readonly kind: Kind }> =>
    value.kind === kind

/** The text with these places blank, so that all others keep their place. */
export const blank = (text: string, places: readonly Said[]): string =>
  places.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  )
