// Schemas that bring their own `$defs`, in a document where all definitions are components.

/**
 * The schema with references to components. Its definitions are added to `into` under names that begin with `prefix`.
 */
export function hoistDefinitions(
  schema: object,
  prefix: string,
  into: Record<string, unknown>,
): object {
  const { $defs, ...rest } = schema as { $defs?: Readonly<Record<string, unknown>> }
  if ($defs === undefined) return schema
  const names = new Map(
    Object.keys($defs).map((name) => [
      `#/$defs/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      `${prefix}.${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`,
    ]),
  )
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const name = key === '$ref' && typeof inner === 'string' ? names.get(inner) : undefined
        return [key, name === undefined ? moved(inner) : `#/components/schemas/${name}`]
      }),
    )
  }
  for (const [reference, name] of names) {
    const own = reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~')
    into[name] = moved($defs[own])
  }
  return moved(rest) as object
}
