/** The value at a JSON Pointer (RFC 6901). Undefined where there is none. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (found, part) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, part)
          ? (found as Readonly<Record<string, unknown>>)[part]
          : undefined,
      value,
    )
}
