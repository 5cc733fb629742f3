// Converts citations of the Code of Federal Regulations between people's notation and the eCFR's addresses.

export interface Hierarchy {
  readonly title: string
  readonly part?: string | null | undefined
  readonly section?: string | null | undefined
  readonly appendix?: string | null | undefined
}

/** Of title 41: 60-1. */
const partShape = String.raw`\d[\da-z]*(?:-\d+[a-z]?)?`
/** Of title 26: 401(k)-1, whose parentheses do not name a paragraph. */
const sectionShape = String.raw`\d[\w-]*(?:(?:\([a-z0-9]+\))+-\d[\w-]*)?`
/** Follows a comma, with its full name: Appendix C to Part 1026. */
const appendixShape = String.raw`,\s*((?!subpart)[a-z].*)`
const shape = new RegExp(
  String.raw`^(?:title\s+)?(\d{1,2}),?\s*C\.?\s?F\.?\s?R\.?(?:,?\s*(?:(?:§+|parts?|pts?\.?|sections?|secs?\.?)\s*)*(${partShape})(?:\.(${sectionShape}))?((?:\s*\([a-z0-9]+\))*))?\s*(?:${appendixShape})?$`,
  'i',
)

/**
 * Reads `12 CFR 1026.43`, `12 C.F.R. § 1026.43(e)(1)`, `12 CFR part 1026`, and the output of `citationOf`. Undefined
 * for any other text.
 */
export function parseCitation(text: string) {
  const [, title, part, number, paragraph = '', appendix] = shape.exec(text.trim()) ?? []
  if (title === undefined || (part ?? appendix) === undefined) return undefined
  if (Number(title) < 1 || Number(title) > 50) return undefined
  return {
    title: String(Number(title)),
    part,
    section: number === undefined ? undefined : `${part}.${number}`,
    paragraph: paragraph.replaceAll(/\s/g, '') || null,
    appendix,
  }
}

export function citationOf({ title, part, section, appendix }: Hierarchy): string {
  const place = section ?? (part ? `part ${part}` : '')
  return [`${title} CFR ${place}`.trim(), appendix].filter(Boolean).join(', ')
}

export function currentUrl({ title, part, section }: Hierarchy): string {
  const place = section ? `/section-${section}` : part ? `/part-${part}` : ''
  return `https://www.ecfr.gov/current/title-${title}${place}`
}
