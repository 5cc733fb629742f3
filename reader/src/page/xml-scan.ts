// A tokenizer for XML that arrives in pieces, for lists of addresses: what is broken is passed over, what a DOCTYPE
// declares is never expanded, and it holds no more than one piece and one tag. (saxes keeps a text or a name of any
// length whole, and its care for well-formedness is lost on files that are not.)

export interface XmlHandler {
  /** `name` as written, with its prefix; `attributes` is the rest of the tag. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** A part of a text, entities as written. */
  text(part: string): void
  /** A part of a CDATA section. */
  literal(part: string): void
}

/** A longer tag is passed over. */
const tagCharactersMax = 16_384

interface Section {
  readonly begin: string
  readonly end: string
}

const cdata: Section = { begin: '<![CDATA[', end: ']]>' }
const tooLong: Section = { begin: '<', end: '>' }
/** What looks like a tag and is none. An inner subset of a DOCTYPE is a row of declarations, each with its own end. */
const sections: readonly Section[] = [
  { begin: '<!--', end: '-->' },
  cdata,
  { begin: '<?', end: '?>' },
  { begin: '<!', end: '>' },
]

/** To be called with every piece in its order. */
export function createXmlScanner(handler: XmlHandler): (piece: string) => void {
  let buffer = ''
  let section: Section | undefined

  /** Reads what stands at the place; returns where the next token begins, or the same place when more has to come. */
  function scanToken(index: number): number {
    if (section !== undefined) return scanSection(section, index)
    const open = buffer.indexOf('<', index)
    if (open !== index) {
      const end = open === -1 ? buffer.length : open
      handler.text(buffer.slice(index, end))
      return end
    }
    // Too little is here to tell a comment from a declaration.
    if (cdata.begin.length > buffer.length - open && '!'.includes(buffer[open + 1] ?? ''))
      return open
    section = sections.find(({ begin }) => buffer.startsWith(begin, open))
    return section === undefined ? scanTag(open) : open + section.begin.length
  }

  function scanSection({ end, begin }: Section, index: number): number {
    const found = buffer.indexOf(end, index)
    // Without its end all is content but what may be the beginning of the end.
    const stop = found === -1 ? Math.max(index, buffer.length - end.length + 1) : found
    if (begin === cdata.begin && stop > index) handler.literal(buffer.slice(index, stop))
    if (found === -1) return stop
    section = undefined
    return found + end.length
  }

  function scanTag(open: number): number {
    const next = buffer.indexOf('<', open + 1)
    // Looked for no further than the next mark, or a row of marks would take time that grows with its square.
    const written = buffer.slice(open, next === -1 ? undefined : next)
    const end = written.indexOf('>')
    if (end === -1 && next !== -1) {
      handler.text(written)
      return next
    }
    if ((end === -1 ? written.length : end) > tagCharactersMax) {
      section = tooLong
      return open + 1
    }
    if (end === -1) return open
    const tag = written.slice(1, end)
    const name = /^\/?([^\s/]*)/.exec(tag)?.[1] ?? ''
    if (tag.startsWith('/')) handler.close(name)
    else {
      handler.open(name, tag.slice(name.length))
      if (tag.endsWith('/')) handler.close(name)
    }
    return open + end + 1
  }

  return (piece) => {
    buffer += piece
    let index = 0
    while (index < buffer.length) {
      const next = scanToken(index)
      if (next === index) break
      index = next
    }
    buffer = buffer.slice(index)
  }
}
