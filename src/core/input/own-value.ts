import { hasMembers } from './members.ts'

/** A name may be `constructor`, which each object inherits. Undefined where the value has no such name of its own. */
export function ownValue<Value>(
  value: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined
export function ownValue(value: unknown, name: string): unknown
export function ownValue(value: unknown, name: string): unknown {
  return hasMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
