import { ownValue } from '../own-value.ts'

/** The value at a JSON Pointer (RFC 6901). Undefined where there is none. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(ownValue, value)
}
