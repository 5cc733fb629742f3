// Every platform data action: which actor of the vendor answers it, what it is asked with, and what it is for. Actors come
// and go: an operator names another one in PLATFORM_ACTORS, as long as it takes the same identifier.

/** How an identifier is written: words, names or addresses, one or several, or addresses as objects. */
export type IdentifierForm = 'text' | 'texts' | 'urls' | 'url' | 'urlObjects'

export interface PlatformRow {
  /** `platform/kind`. */
  readonly id: string
  readonly summary: string
  readonly notes: string
  readonly synonyms: readonly string[]
  readonly questions: readonly string[]
  /** The one parameter that says what is wanted; the actor calls it the same. */
  readonly identifier: string
  readonly form: IdentifierForm
  readonly describe: string
  /** A second parameter of the actor, which may be left out. */
  readonly optional?: { readonly name: string; readonly describe: string }
  /** `user/actor`. Undefined: none is known to be sound, so the operator chooses. */
  readonly actor?: string
  /** The actor's own field for how many rows it shall fetch, and whether it counts for each identifier by itself. */
  readonly limit?: { readonly field: string; readonly each?: true; readonly least?: number }
  /** More of the actor's input, as it is. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly rowsMax: number
  readonly example: unknown
}
