// The public entry of @tollway/reader. Everything here is synchronous and free of I/O.

// Frames.
export type { PageFrame } from './inline-frames.ts'
// Bytes to text, and documents that are not pages.
export { decodeText } from './page/charset/decode.ts'
export { documentKind } from './page/document.ts'
// Links of a page, and a tolerant XML scanner for sitemaps.
export { type PageLinks, readLinks } from './page/links.ts'
export { type FrameLink, listFrames } from './page/list-frames.ts'
// What a page says about itself.
export type { PageMetadata } from './page/metadata.ts'
export { readAttributes } from './page/scan.ts'
export { createXmlScanner, type XmlHandler } from './page/xml-scan.ts'
// Parts of it.
export { linksAsFootnotes } from './portion/footnotes.ts'
export type { LinkedText } from './portion/list-entries.ts'
export { type Passage, passagesOfHtml, passagesOfText } from './portion/passages.ts'
export { takePortion } from './portion/portion.ts'
export { estimateTokens, estimateWords } from './portion/tokens.ts'
// Content.
export {
  contentOfMarkup,
  markupTask,
  type PageKind,
  type ReadContent,
  readBody,
  readText,
} from './read-body.ts'
export {
  type ContentForm,
  type ContentForms,
  type MarkupContent,
  type MarkupTask,
  type PageFormat,
  type ReadOptions,
  readMarkup,
} from './read-markup.ts'
// Parts of a page by selectors.
export { parseSelector, SelectorError, selectorCharactersMax } from './selection/selector.ts'
// Whether it is the page that was asked for.
export { judgePage, type QualityFlag, type Verdict } from './verdict/verdict.ts'
export type { VerdictKind } from './verdict/verdict-kind.ts'
