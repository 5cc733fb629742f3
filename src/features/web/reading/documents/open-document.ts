// Which kind of document it is, told by its content. Each format's library is loaded when it is needed.
import type { OpenedDocument } from './document.ts'
import { encrypted, unreadable } from './failure.ts'
import { type Archive, openArchive } from './formats/archive.ts'
import type { DocumentTask } from './messages.ts'

const sniffedBytesMax = 1_024
const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** An encrypted Word, Excel or PowerPoint file keeps its content in this stream. */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')
const supported = 'Send a PDF, DOCX, XLSX, PPTX, EPUB or CSV file.'

export async function openDocument(bytes: Buffer, task: DocumentTask): Promise<OpenedDocument> {
  const start = bytes.subarray(0, sniffedBytesMax).toString('latin1')
  if (start.includes('%PDF-')) {
    const { openPdf } = await import('./pdf/open-pdf.ts')
    const { createRecognition } = await import('./pdf/tesseract.ts')
    return await openPdf(bytes, task.tesseract && createRecognition(task.tesseract))
  }
  if (start.startsWith('PK')) return await openArchived(await openArchive(bytes))
  if (bytes.subarray(0, oleMagic.length).equals(oleMagic)) {
    if (bytes.includes(encryptedPackage)) throw encrypted()
    throw unreadable(
      'The file has the Office format from before 2007. Save it as DOCX, XLSX or PPTX.',
    )
  }
  if (start.startsWith('{\\rtf')) throw unreadable(`RTF is not read here. ${supported}`)
  if (/^\s*(?:<!doctype html|<html)/i.test(start.replace(/^\xef\xbb\xbf/, '')))
    throw unreadable('The address holds a web page. Read it with onescrape.')
  if (!isText(bytes)) throw unreadable(`The file is not a document that is read here. ${supported}`)
  const { openCsv } = await import('./formats/csv.ts')
  return openCsv(bytes, task)
}

async function openArchived(archive: Archive): Promise<OpenedDocument> {
  if (archive.has('META-INF/container.xml')) {
    const { openEpub } = await import('./formats/epub.ts')
    return await openEpub(archive)
  }
  const { mainPart } = await import('./formats/office.ts')
  const folder = (await mainPart(archive)).split('/')[0]
  if (folder === 'word') return await (await import('./formats/docx.ts')).openDocx(archive)
  if (folder === 'xl') return await (await import('./formats/xlsx.ts')).openXlsx(archive)
  if (folder === 'ppt') return await (await import('./formats/pptx.ts')).openPptx(archive)
  throw unreadable(`The archive holds no document that is read here. ${supported}`)
}

/** UTF-16 has a mark at its start, and every other text has no zeros. */
function isText(bytes: Buffer): boolean {
  const isMarked =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return bytes.length > 0 && (isMarked || !bytes.subarray(0, 65_536).includes(0))
}
