// The tags and scripts of a page, without what a person reads: a page about walls may quote their markup and link to
// their vendors, and is none.
import { type ScanHandler, scanHtml } from '../../page/scan.ts'

const searchedCharacters = 400_000
/** Walls name themselves at the beginning of a script. */
const scriptCharactersMax = 4_000
/** Attributes that hold text, and addresses that a visitor may choose to go to. */
const readAttributes =
  /\s(?:href|alt|title|content|value|placeholder|summary|label|cite|data-\w{1,30}|aria-\w{1,30})\s{0,2}=\s{0,2}(?:"[^"]*"|'[^']*')/gi
const readElements = /^(?:a|area|blockquote|img|input|q|option)$/
/** What a meta element tells the browser, not the reader. */
const orderToBrowser = /http-equiv|\bcontent="[\w-]+"/i
const dataScript = /type=["']?application\/(?:ld\+)?json/i
const streamedData = /^\s*(?:\(self|self)\.?__next_f|__next_f\.push\(/

export function markupOf(html: string): string {
  const parts: string[] = []
  const handler: ScanHandler = {
    open(name, attributes) {
      if (name === 'meta' && !orderToBrowser.test(attributes)) return
      const kept = readElements.test(name) ? attributes.replace(readAttributes, '') : attributes
      parts.push(`<${name}${kept}>`)
    },
    close() {},
    text() {},
    raw(name, content, attributes) {
      parts.push(`<${name}${attributes}>`)
      if (name === 'noscript') scanHtml(content, handler)
      if (name !== 'script' || dataScript.test(attributes) || streamedData.test(content)) return
      parts.push(content.slice(0, scriptCharactersMax))
    },
    done: () => false,
  }
  scanHtml(html.slice(0, searchedCharacters), handler)
  return parts.join('\n')
}
