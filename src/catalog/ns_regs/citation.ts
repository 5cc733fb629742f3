// Citations of the Code of Federal Regulations, as people write them and as the eCFR addresses them.

export interface Hierarchy {
  readonly title: string
  readonly part?: string | null
  readonly section?: string | null
  readonly appendix?: string | null
}

const shape =
  /^(?:title\s+)?(\d{1,2}),?\s*C\.?\s?F\.?\s?R\.?,?\s*(?:(?:§+|parts?|pts?\.?|sections?|secs?\.?)\s*)*(\d[\da-z]*)(?:\.(\d[\w-]*))?((?:\s*\([a-z0-9]+\))*)\s*$/i

/** Reads `12 CFR 1026.43`, `12 C.F.R. § 1026.43(e)(1)`, `12 CFR part 1026`. Undefined when it is none. */
export function parseCitation(text: string) {
  const [, title, part, number, paragraph = ''] = shape.exec(text.trim()) ?? []
  if (title === undefined || part === undefined || Number(title) < 1 || Number(title) > 50)
    return undefined
  return {
    title: String(Number(title)),
    part,
    section: number === undefined ? undefined : `${part}.${number}`,
    paragraph: paragraph.replaceAll(/\s/g, '') || null,
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
