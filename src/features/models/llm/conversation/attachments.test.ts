import { expect, test } from 'vitest'
import { countAttachments } from './attachments.ts'

const pdf = (text: string) => `data:application/pdf;base64,${Buffer.from(text).toString('base64')}`
const count = (part: object) => countAttachments([{ role: 'user', content: [part] }])
const page = '<< /Type /Page /Parent 1 0 R >>'

test.each([
  ['pages are counted', `%PDF-1.4 << /Type /Pages /Count 2 >> ${page} ${page}`, 2],
  ['pages that are compressed count as the most that a vendor takes', `/ObjStm ${page}`, 100],
  ['a file that shows no page does too', '%PDF-1.4', 100],
])('%s', (_name, text, pages) => {
  const url = pdf(text)
  expect(count({ type: 'file', file: { file_data: url } })).toEqual({
    pictures: 0,
    smallPictures: 0,
    tokensMax: pages * 4_600,
    dataBytes: url.length,
  })
})

test('a document at an address counts as a hundred pages, and a text as its bytes', () => {
  expect(count({ type: 'file', file: { file_url: 'https://example.org/a.pdf' } }).tokensMax).toBe(
    460_000,
  )
  const url = 'data:text/plain;base64,SGVsbG8='
  expect(count({ type: 'file', file: { file_data: url } }).tokensMax).toBe(url.length)
})

test('pictures and recordings are not counted as text', () => {
  const picture = {
    type: 'image_url',
    image_url: { url: 'data:image/png;base64,iVBO', detail: 'low' },
  }
  expect(count(picture)).toEqual({ pictures: 1, smallPictures: 1, tokensMax: 0, dataBytes: 26 })
  const sound = { type: 'input_audio', input_audio: { data: 'A'.repeat(160), format: 'wav' } }
  expect(count(sound)).toEqual({ pictures: 0, smallPictures: 0, tokensMax: 10, dataBytes: 160 })
})
