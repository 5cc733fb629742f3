/** A name may be `constructor`, which each object inherits. Undefined where the value has no such name of its own. */
export function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}
