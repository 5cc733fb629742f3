// A message with a subject and a text, as the tests of mail store it.
import { randomBytes } from 'node:crypto'
import type { NewMessage } from './mail-rows.ts'

export const messageWith = (
  told: Pick<NewMessage, 'direction' | 'sender' | 'subject' | 'text'> & Partial<NewMessage>,
): NewMessage => ({
  digest: randomBytes(32),
  html: null,
  headerId: null,
  inReplyTo: null,
  references: [],
  to: [],
  cc: [],
  replyTo: [],
  labels: [],
  attachments: [],
  authentication: null,
  ...told,
})
