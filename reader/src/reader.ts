// The public entry of @tollway/reader. Everything here is synchronous and free of I/O.

// Bytes to text, and documents that are not pages.
export { decodeText } from './page/decode.ts'
export { documentKind } from './page/document.ts'
// Links of a page, and a tolerant XML scanner for sitemaps.
export { type PageLinks, readLinks } from './page/links.ts'
// What a page says about itself.
export type { PageMetadata } from './page/metadata.ts'
export { readAttributes } from './page/scan.ts'
export { createXmlScanner, type XmlHandler } from './page/xml-scan.ts'
// Content.
export {
  contentOfMarkup,
  markupTask,
  type PageKind,
  type ReadContent,
  type ReadOptions,
  readBody,
  readText,
} from './read-body.ts'
export { type MarkupContent, type MarkupTask, type PageFormat, readMarkup } from './read-markup.ts'
// Whether it is the page that was asked for.
export { judgePage, type QualityFlag, type Verdict } from './verdict/verdict.ts'
export type { VerdictKind } from './verdict/verdict-kind.ts'
