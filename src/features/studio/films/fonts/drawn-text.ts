// The text that a drawing shows, wherever its props hold it.
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Of the HTML that drawings make. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<\/?div[^>]*>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)

/** Where a value holds one of these texts, as a path: `items[2]`. Undefined if nowhere. */
export function placeOf(value: unknown, texts: readonly string[]): string | undefined {
  if (typeof value === 'string') return texts.some((text) => value.includes(text)) ? '' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const place = placeOf(inner, texts)
    const step = Array.isArray(value) ? `[${name}]` : `.${name}`
    if (place !== undefined) return `${step}${place}`
  }
  return undefined
}
