// Why a document cannot be read. The message is for the caller.
import type { ErrorCode } from '#core/errors.ts'

export type DocumentTrouble = Extract<
  ErrorCode,
  'document_encrypted' | 'document_unreadable' | 'document_too_large'
>

export class DocumentFailure extends Error {
  readonly trouble: DocumentTrouble

  constructor(trouble: DocumentTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DocumentFailure'
    this.trouble = trouble
  }
}

export const unreadable = (message: string, cause?: unknown) =>
  new DocumentFailure('document_unreadable', message, cause)

export const tooLarge = (message: string) => new DocumentFailure('document_too_large', message)

export const encrypted = () =>
  new DocumentFailure(
    'document_encrypted',
    'The document is encrypted. Remove its password and send it again.',
  )
