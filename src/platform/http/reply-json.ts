// JSON of a provider, without the rows that are none.

/** Linear, so that only the few replies with a null in a list are walked through. */
const nullInList = /[[,]\s*null\s*[\],]/

/** Parses a reply. In a list of objects a null is no row, and no action should have to expect one. Throws SyntaxError. */
export function parseReply(text: string): unknown {
  const body: unknown = JSON.parse(text)
  return nullInList.test(text) ? withoutNullRows(body) : body
}

function withoutNullRows(value: unknown): unknown {
  const pending = [value]
  for (let held = pending.pop(); held !== undefined; held = pending.pop()) {
    if (Array.isArray(held)) dropNullRows(held)
    if (typeof held === 'object' && held !== null)
      for (const inner of Object.values(held)) if (isObject(inner)) pending.push(inner)
  }
  return value
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

function dropNullRows(list: unknown[]): void {
  const isListOfObjects = list.some((row) => isObject(row) && !Array.isArray(row))
  if (!isListOfObjects || !list.includes(null)) return
  const rows = list.filter((row) => row !== null)
  list.length = 0
  for (const row of rows) list.push(row)
}
