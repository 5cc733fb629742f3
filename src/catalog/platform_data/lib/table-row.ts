// A row for each platform data action: the vendor's actor that answers it, its parameters and its texts. Actors come
// and go, so an operator can name another one in PLATFORM_ACTORS if it takes the same identifier.

import type { RowType } from './rows/row-types.ts'

/** The notation of an identifier: words, names or addresses, one or several, or addresses as objects. */
export type IdentifierForm = 'text' | 'texts' | 'urls' | 'url' | 'urlObjects'

export interface PlatformRow {
  /** `platform/kind`. */
  readonly id: string
  /** The kind of its rows. Undefined: an actor of the operator, whose rows are not read. */
  readonly rows?: RowType
  readonly summary: string
  readonly notes: string
  readonly synonyms: readonly string[]
  readonly questions: readonly string[]
  /** The main parameter, which has the same name in the actor's input. */
  readonly identifier: string
  readonly form: IdentifierForm
  readonly describe: string
  /** A second parameter of the actor, which may be left out. */
  readonly optional?: { readonly name: string; readonly describe: string }
  /** `user/actor`. Undefined: no reliable actor is known, so the operator chooses one. */
  readonly actor?: string
  /** How this actor takes the identifier, where its own name or notation differs. */
  readonly actorTakes?: { readonly field: string; readonly form?: 'urlObjects' }
  /** The actor's field for the number of rows, and whether that number counts per identifier. */
  readonly limit?: { readonly field: string; readonly each?: true; readonly least?: number }
  /** Further fixed fields of the actor's input. */
  readonly fixed?: Readonly<Record<string, unknown>>
  readonly rowsMax: number
  readonly example: unknown
}
