// The sign or number at the start of a list's item.

/** Fonts of symbols have their bullets in the private area, or where control characters are. */
const bullet = /^[•◦▪▫■□●○‣⁃∙·–—*\u0080-\u009f\ue000-\uf8ff-](?=\s|$)/u
const number = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\(\d{1,3}\))(?=\s|$)/

/** The marker as Markdown, and the rest of the line. */
export function readListMarker(
  line: string,
): { readonly marker: string; readonly text: string } | undefined {
  const [found] = bullet.exec(line) ?? number.exec(line) ?? []
  if (found === undefined) return undefined
  const digits = /\d+/.exec(found)?.[0]
  const text = line.slice(found.length).trim()
  if (bullet.test(found)) return { marker: '-', text }
  return digits === undefined ? { marker: '-', text: line } : { marker: `${digits}.`, text }
}

export const isListMarker = (text: string) => readListMarker(text)?.text === ''
