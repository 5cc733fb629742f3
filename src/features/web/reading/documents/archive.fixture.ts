// Office files and other zip archives, written part by part.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipOptions {
  /** The size that the archive declares, where it lies. */
  readonly declaredBytes?: number
}

/** A zip file of these parts. */
export function zip(
  parts: Readonly<Record<string, string | Buffer>>,
  { declaredBytes }: ZipOptions = {},
): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, part] of Object.entries(parts)) {
    const content = Buffer.from(part)
    const packed = deflateRawSync(content)
    const size = declaredBytes ?? content.length
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(content), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(size, 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    const version = Buffer.from([20, 0])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), version, head, tail, Buffer.from(name)]),
    )
    files.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, entries, Buffer.from('PK\x05\x06'), end])
}

const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The part that lists the relations of another: `[['rId1', 'slide', 'slides/slide1.xml']]`. */
export function relationsPart(
  relations: readonly (readonly [id: string, kind: string, target: string, mode?: 'External'])[],
): string {
  const rows = relations.map(
    ([id, kind, target, mode]) =>
      `<Relationship Id="${id}" Type="${officeTypes}/${kind}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`,
  )
  return `<?xml version="1.0"?><Relationships>${rows.join('')}</Relationships>`
}

const core = `<cp:coreProperties><dc:title>Mill report</dc:title><dc:creator>Ada Miller</dc:creator>
  <dcterms:created>2026-03-04T05:06:07Z</dcterms:created></cp:coreProperties>`

/** A Word document of these paragraphs and tables, as XML. */
export function docx(body: string, parts: Readonly<Record<string, string>> = {}): Buffer {
  return zip({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relationsPart([['r1', 'officeDocument', 'word/document.xml']]),
    'docProps/core.xml': core,
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationsPart([
      ['r1', 'styles', 'styles.xml'],
      ['r2', 'numbering', 'numbering.xml'],
      ['r3', 'footnotes', 'footnotes.xml'],
      ['r4', 'hyperlink', 'https://example.com/a_(b)', 'External'],
    ]),
    ...parts,
  })
}

/** An Excel file: sheets by name, with their rows as XML. */
export function xlsx(
  sheets: Readonly<Record<string, string>>,
  { attributes = '', parts = {} }: { attributes?: string; parts?: Record<string, string> } = {},
): Buffer {
  const names = Object.keys(sheets)
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}" ${attributes}/>`,
  )
  return zip({
    '_rels/.rels': relationsPart([['r1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsPart([
      ...names.map((_, index) => [`s${index}`, 'worksheet', `/xl/sheet${index}.xml`] as const),
      ['t', 'sharedStrings', 'strings.xml'],
      ['y', 'styles', 'styles.xml'],
    ]),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/sheet${index}.xml`,
        `<worksheet>${sheets[name]}</worksheet>`,
      ]),
    ),
    ...parts,
  })
}
