// The kinds of identifiers that discover recognises in a question. Callers read their names.

export type IdentifierKind =
  | 'LinkedIn profile'
  | 'e-mail address'
  | 'DOI'
  | 'URL'
  | 'CFR citation'
  | 'CIK'
  | 'EIN'
  | 'NDC'
  | 'NCT number'
  | 'VIN'
  | 'Wikidata id'
  | 'ticker'
  | 'flight number'
  | 'run id'
  | 'job or transaction id'
  | 'domain'

/** How an action takes an identifier of one kind. */
export interface Intake<Input = object> {
  /** The action's rank among those that take this kind: 0, the default, for the answer that most people want. */
  readonly place?: number
  /** The parameters that the identifier fills; discover adds those of the example that the schema still needs. */
  readonly fills: (value: string) => Partial<Input>
}

/** The identifiers that an action takes. */
export type Intakes<Input = object> = { readonly [kind in IdentifierKind]?: Intake<Input> }
