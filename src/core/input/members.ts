type Members = Readonly<Record<string, unknown>>

export const hasMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null

/** What a value from outside has under each name. Any value but an object has nothing. */
export const membersOf = (value: unknown): Members => (hasMembers(value) ? value : {})

/** The items of a value from outside. Any value but a list has none. */
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
