// A tokenizer for HTML as it is found: one pass, no tree, no recursion, and time that grows with the length of the page
// however it was written. (htmlparser2 keeps its stack with unshift: unclosed tags take it from 0.03 to 16 seconds.)

export interface ScanHandler {
  /**
   * `start` is the place of the tag in the HTML; `attributes` is the tag's own text, from its name to its end;
   * `readAttributes` takes it apart when needed.
   */
  open(name: string, attributes: string, start: number): void
  close(name: string): void
  /** Text as written, entities and all. */
  text(raw: string): void
  /** The content of an element that holds no markup, such as script and title. */
  raw(name: string, content: string, attributes: string, start: number): void
  /** Asked before every token: true ends the scan. */
  done(): boolean
}

/** Elements whose content is text up to their own end tag. */
const rawTextEnd: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map(
    (name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')],
  ),
)

export function scanHtml(html: string, handler: ScanHandler): void {
  let index = 0
  while (index < html.length && !handler.done()) {
    const open = html.indexOf('<', index)
    if (open !== index) handler.text(open === -1 ? html.slice(index) : html.slice(index, open))
    if (open === -1) return
    index = scanMarkup(html, open, handler)
  }
}

/** Reads what begins at the `<`; returns where the text goes on. */
function scanMarkup(html: string, open: number, handler: ScanHandler): number {
  const next = html.charCodeAt(open + 1)
  if (isLetter(next)) return scanStartTag(html, open, handler)
  if (next === slash && isLetter(html.charCodeAt(open + 2))) {
    const end = html.indexOf('>', open)
    if (end === -1) return html.length
    handler.close(nameAt(html, open + 2).toLowerCase())
    return end + 1
  }
  if (next === exclamation && html.startsWith('--', open + 2)) return commentEnd(html, open + 4)
  if (next === exclamation || next === question || next === slash) {
    const end = html.indexOf('>', open)
    return end === -1 ? html.length : end + 1
  }
  handler.text('&lt;')
  return open + 1
}

function scanStartTag(html: string, open: number, handler: ScanHandler): number {
  const written = nameAt(html, open + 1)
  const name = written.toLowerCase()
  const attributesStart = open + 1 + written.length
  const end = tagEnd(html, attributesStart)
  // A tag that the end of the page cuts short is none, as in browsers.
  if (end === html.length) return end
  const attributes = html.slice(attributesStart, end)
  const after = end + 1
  const endTag = rawTextEnd.get(name)
  if (endTag === undefined) {
    handler.open(name, attributes, open)
    return after
  }
  endTag.lastIndex = after
  const close = endTag.exec(html)
  handler.raw(name, html.slice(after, close?.index ?? html.length), attributes, open)
  if (close === null) return html.length
  const closeEnd = html.indexOf('>', close.index)
  return closeEnd === -1 ? html.length : closeEnd + 1
}

/** The `>` that ends the tag: not one inside a quoted value. */
function tagEnd(html: string, from: number): number {
  let afterEquals = false
  for (let index = from; index < html.length; index += 1) {
    const code = html.charCodeAt(index)
    if (code === greater) return index
    if (afterEquals && (code === doubleQuote || code === singleQuote)) {
      const close = html.indexOf(code === doubleQuote ? '"' : "'", index + 1)
      if (close === -1) return html.length
      index = close
      afterEquals = false
    } else if (code === equals) afterEquals = true
    else if (!isSpace(code)) afterEquals = false
  }
  return html.length
}

export type Attributes = ReadonlyMap<string, string>

const noAttributes: Attributes = new Map()

/** The attributes of a tag, names in lower case, values as written. The first of two with one name counts. */
export function readAttributes(attributes: string): Attributes {
  if (attributes.length < 2) return noAttributes
  const found = new Map<string, string>()
  const add = (name: string, value: string) => {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, value)
  }
  let index = 0
  while (index < attributes.length) {
    if (!isAttributeNameCode(attributes.charCodeAt(index))) {
      index += 1
      continue
    }
    const nameStart = index
    while (index < attributes.length && isAttributeNameCode(attributes.charCodeAt(index)))
      index += 1
    const name = attributes.slice(nameStart, index)
    const assigned = skipSpace(attributes, index)
    if (attributes.charCodeAt(assigned) !== equals) {
      add(name, '')
      continue
    }
    const { start, end, next } = valueAt(attributes, skipSpace(attributes, assigned + 1))
    add(name, attributes.slice(start, end))
    index = Math.max(index, next)
  }
  return found
}

/** The value that begins at `from`, and where the attributes go on. */
function valueAt(attributes: string, from: number) {
  const quote = attributes.charCodeAt(from)
  if (quote === doubleQuote || quote === singleQuote) {
    const close = attributes.indexOf(quote === doubleQuote ? '"' : "'", from + 1)
    return close === -1
      ? { start: from, end: from, next: from + 1 }
      : { start: from + 1, end: close, next: close + 1 }
  }
  let end = from
  while (end < attributes.length && isBareValueCode(attributes.charCodeAt(end))) end += 1
  return { start: from, end, next: end }
}

function skipSpace(text: string, from: number): number {
  let index = from
  while (index < text.length && isWhiteSpace(text.charCodeAt(index))) index += 1
  return index
}

function nameAt(html: string, start: number): string {
  let end = start
  while (end < html.length && end - start < nameCharactersMax && isNameCode(html.charCodeAt(end)))
    end += 1
  return html.slice(start, end)
}

function commentEnd(html: string, from: number): number {
  if (html.startsWith('>', from)) return from + 1
  const end = html.indexOf('-->', from)
  return end === -1 ? html.length : end + 3
}

const nameCharactersMax = 64
const exclamation = 0x21
const doubleQuote = 0x22
const singleQuote = 0x27
const slash = 0x2f
const less = 0x3c
const equals = 0x3d
const greater = 0x3e
const question = 0x3f
const asciiMax = 0x7f

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isBareValueCode(code: number): boolean {
  return !isWhiteSpace(code) && code !== doubleQuote && code !== singleQuote && code !== greater
}

function isAttributeNameCode(code: number): boolean {
  return isBareValueCode(code) && code !== less && code !== slash && code !== equals
}

/** What `\s` matches. */
function isWhiteSpace(code: number): boolean {
  return code <= asciiMax ? isSpace(code) : /\s/.test(String.fromCharCode(code))
}

function isNameCode(code: number): boolean {
  return !isSpace(code) && code !== slash && code !== greater && !Number.isNaN(code)
}
