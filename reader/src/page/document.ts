// Files of word processors and their kin, told by what the server calls them and by how they begin.

const documentTypes: readonly (readonly [RegExp, string])[] = [
  [/^application\/(?:x-)?pdf\b/, 'PDF'],
  [
    /^application\/(?:msword|vnd\.ms-word|vnd\.openxmlformats-officedocument\.wordprocessing)/,
    'Word',
  ],
  [/^application\/(?:vnd\.ms-excel|vnd\.openxmlformats-officedocument\.spreadsheet)/, 'Excel'],
  [
    /^application\/(?:vnd\.ms-powerpoint|vnd\.openxmlformats-officedocument\.presentation)/,
    'PowerPoint',
  ],
  [/^application\/vnd\.oasis\.opendocument/, 'OpenDocument'],
  [/^(?:application|text)\/(?:x-)?rtf\b/, 'RTF'],
  [/^application\/(?:x-iwork|vnd\.apple\.(?:pages|numbers|keynote))/, 'iWork'],
  [/^application\/epub\+zip/, 'EPUB'],
]

/** Far enough into a zip file to see the names of its first entries. */
const sniffedBytesMax = 4_096
/** Where a zip file has the name of its first entry, which in OpenDocument and EPUB is `mimetype`, stored as it is. */
const zipNameOffset = 30

/** What kind of document this is, or undefined for anything else. */
export function documentKind(contentType: string | undefined, body: Buffer): string | undefined {
  const type = (contentType ?? '').trim().toLowerCase()
  const byType = documentTypes.find(([pattern]) => pattern.test(type))
  if (byType !== undefined) return byType[1]
  const start = body.subarray(0, sniffedBytesMax).toString('latin1')
  // A page about PDF that quotes its first line is text/html and does not begin with it.
  if (/^\s{0,16}%PDF-\d/.test(start)) return 'PDF'
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'Office'
  if (start.startsWith('{\\rtf1')) return 'RTF'
  if (!start.startsWith('PK\x03\x04')) return undefined
  if (start.includes('[Content_Types].xml') || /(?:word|xl|ppt)\//.test(start)) return 'Office'
  const mimetype = start.slice(zipNameOffset).match(/^mimetypeapplication\/(vnd\.oasis|epub)/)
  if (mimetype === null) return undefined
  return mimetype[1] === 'epub' ? 'EPUB' : 'OpenDocument'
}
