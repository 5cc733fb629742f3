// What the process that reads a document is asked, and what it says: one line of JSON for each message.
import type { DocumentMetadata, DocumentType, TableRows } from './document.ts'
import type { DocumentTrouble } from './failure.ts'

/** On its command line. The document is on its standard input. */
export interface DocumentTask {
  /** The first page that is wanted, from 1 on. */
  readonly first: number
  readonly count: number
  /** As its server called it. */
  readonly contentType?: string
  /** The last part of its address. */
  readonly fileName?: string
  /** Recognises the text of scanned pages. */
  readonly tesseract?: { readonly path: string; readonly languages: readonly string[] }
}

export interface DocumentPage {
  readonly number: number
  readonly title: string | null
  readonly markdown: string
  readonly tables: readonly { readonly rows: TableRows }[]
  readonly isHidden?: boolean
  readonly isRecognised?: boolean
  readonly isUnreadScan?: boolean
  /** There is nothing on it to read. */
  readonly isWithoutText?: boolean
}

export interface DocumentHead {
  readonly type: DocumentType
  readonly metadata: DocumentMetadata
  readonly pageCount?: number
}

/** The process runs, so that its end tells of the document. */
export interface DocumentBegun {
  readonly kind: 'begun'
}

export type DocumentMessage =
  | ({ readonly kind: 'document' } & DocumentHead)
  | { readonly kind: 'page'; readonly page: DocumentPage }
  | { readonly kind: 'end'; readonly hasMore: boolean }
  | {
      readonly kind: 'failure'
      readonly trouble: DocumentTrouble
      readonly message: string
      /** For the log. */
      readonly cause?: string
    }
