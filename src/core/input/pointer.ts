import { ownValue } from './own-value.ts'

/** The steps of a JSON Pointer (RFC 6901). */
export const pointerParts = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a JSON Pointer. Undefined where there is none. */
export const resolvePointer = (value: unknown, pointer: string): unknown =>
  pointerParts(pointer).reduce<unknown>(ownValue, value)
