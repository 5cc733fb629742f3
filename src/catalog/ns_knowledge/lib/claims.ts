// Extracts the values from Wikidata's statements.
export interface WikidataStatement {
  readonly rank: 'preferred' | 'normal' | 'deprecated'
  readonly mainsnak?: {
    readonly snaktype: string
    readonly datavalue?: { readonly type: string; readonly value: unknown }
  }
}

/** Values by property: preferred ones first, deprecated and unknown ones left out. */
export function simplifyClaims(claims: Readonly<Record<string, readonly WikidataStatement[]>>) {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([property, statements]) => {
      const values = statements
        .filter(({ rank, mainsnak }) => rank !== 'deprecated' && mainsnak?.snaktype === 'value')
        .toSorted(
          (one, other) => Number(other.rank === 'preferred') - Number(one.rank === 'preferred'),
        )
        .map(({ mainsnak }) => simplify(mainsnak?.datavalue))
      return values.length === 0 ? [] : [[property, values]]
    }),
  )
}

function simplify(data: NonNullable<WikidataStatement['mainsnak']>['datavalue']): unknown {
  const value = data?.value as Record<string, unknown> | string | undefined
  if (typeof value !== 'object') return value ?? null
  if (data?.type === 'wikibase-entityid') return value.id ?? `Q${value['numeric-id']}`
  if (data?.type === 'time') return value.time
  if (data?.type === 'monolingualtext') return value.text
  if (data?.type === 'quantity') {
    const unit = /Q\d+$/.exec(String(value.unit))?.[0] ?? null
    return { amount: Number(value.amount), unit }
  }
  if (data?.type === 'globecoordinate')
    return { latitude: value.latitude, longitude: value.longitude }
  return value
}
