// Parses a provider's JSON and drops null rows from lists of objects.

const byteOrderMark = '\ufeff'

export const withoutMark = (text: string): string =>
  text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text

/** A reader may ignore a byte order mark (RFC 8259). Throws SyntaxError. */
export const parseJson = (text: string): unknown => JSON.parse(withoutMark(text))

/** A fast check, so that only replies with a null in a list are searched. */
const nullInList = /[[,]\s*null\s*[\],]/

/** Parses a reply, so that no action has to expect a null in a list of objects. Throws SyntaxError. */
export function parseReply(text: string): unknown {
  const body: unknown = parseJson(text)
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
