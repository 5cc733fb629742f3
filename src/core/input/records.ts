// Tables of the code have the names that their types say, and no others.

export const keysOf = <Key extends string>(table: Readonly<Partial<Record<Key, unknown>>>): Key[] =>
  Object.keys(table) as Key[]

export const entriesOf = <Key extends string, Value>(
  table: Readonly<Partial<Record<Key, Value>>>,
): [Key, Value][] => Object.entries(table) as [Key, Value][]

/** One value for each of the names. */
export const recordOf = <Key extends string, Value>(
  names: readonly Key[],
  makeValue: (name: Key, place: number) => Value,
): Record<Key, Value> =>
  Object.fromEntries(names.map((name, place) => [name, makeValue(name, place)])) as Record<
    Key,
    Value
  >
