import { expect, test } from 'vitest'
import { documentKind } from './document.ts'

/** The start of a zip file: its first entry is stored under this name. */
const zip = (name: string, content = '') => {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name + content)])
}
const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['application/pdf', bytes(''), 'PDF'],
  ['Application/PDF; charset=binary', bytes(''), 'PDF'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', bytes(''), 'Word'],
  ['application/vnd.oasis.opendocument.text', bytes(''), 'OpenDocument'],
  ['application/octet-stream', bytes('%PDF-1.4\n'), 'PDF'],
  ['text/html', bytes('\n%PDF-1.4\n'), 'PDF'],
  [undefined, bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'Office'],
  [undefined, bytes('{\\rtf1\\ansi'), 'RTF'],
  ['application/zip', zip('[Content_Types].xml'), 'Office'],
  ['application/zip', zip('mimetype', 'application/vnd.oasis.opendocument.text'), 'OpenDocument'],
  ['application/zip', zip('mimetype', 'application/epub+zip'), 'EPUB'],
])('%s is told to be a document', (type, body, kind) => {
  expect(documentKind(type, body)).toBe(kind)
})

test.each([
  ['text/html', bytes('<title>On %PDF-1.4</title>')],
  ['application/zip', zip('readme.txt')],
  ['image/png', bytes('\x89PNG')],
  [undefined, bytes('')],
])('%s is not', (type, body) => {
  expect(documentKind(type, body)).toBeUndefined()
})
