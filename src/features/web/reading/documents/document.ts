// A document as its format's reader hands it over: what it says about itself, and its pages, read one after the other.
import type { DocumentBlock } from './blocks.ts'

export const documentTypes = ['pdf', 'docx', 'xlsx', 'pptx', 'epub', 'csv'] as const
export type DocumentType = (typeof documentTypes)[number]

/** Null where the document does not say. Times are ISO 8601. */
export interface DocumentMetadata {
  readonly title: string | null
  readonly author: string | null
  readonly created: string | null
  readonly modified: string | null
  readonly language: string | null
}

/** Rows of cells as plain text. Each row of a table has the same number of cells. */
export type TableRows = readonly (readonly string[])[]

/** What is charged for as one page: a page, slide, sheet or chapter. */
export interface PageContent {
  readonly title: string | null
  readonly blocks: readonly DocumentBlock[]
  /** A sheet or slide that the document's own program does not show. */
  readonly isHidden?: boolean
  /** The text was recognised in a picture. */
  readonly isRecognised?: boolean
  /** A picture of a page, which this gateway cannot read. */
  readonly isUnreadScan?: boolean
}

export interface OpenedDocument {
  readonly type: DocumentType
  readonly metadata: DocumentMetadata
  /** Undefined where only reading to the end would tell. */
  readonly pageCount?: number
  /** The pages from number `first` on, counted from 1. */
  pages(first: number): AsyncIterable<PageContent> | Iterable<PageContent>
}

export const noMetadata: DocumentMetadata = {
  title: null,
  author: null,
  created: null,
  modified: null,
  language: null,
}
