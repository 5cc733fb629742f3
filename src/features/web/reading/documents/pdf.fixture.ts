// A PDF that is written by hand: texts and lines at places, in points from the bottom left corner of a letter page.
import { deflateSync } from 'node:zlib'

export interface DrawnText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly font?: 'Helvetica' | 'Helvetica-Bold' | 'Courier'
  /** It runs upwards. */
  readonly isTurned?: boolean
}

export interface DrawnPage {
  readonly texts?: readonly DrawnText[]
  /** From one point to another. */
  readonly lines?: readonly (readonly [number, number, number, number])[]
  /** A picture over the whole page, in shades of grey. */
  readonly picture?: { readonly width: number; readonly height: number; readonly pixels: Buffer }
  /** The part that is seen: left, bottom, right, top. */
  readonly crop?: readonly [number, number, number, number]
  /** Filled fields, each as the entries of its dictionary. */
  readonly fields?: readonly string[]
  /** Operators of PDF before all others. */
  readonly drawing?: string
  /** Drawings that the page's drawing can name, and that can name those after them. */
  readonly forms?: readonly { readonly name: string; readonly drawing: string }[]
  /** How often the drawing is compressed. Default: 1. */
  readonly compressions?: number
}

const fonts = ['Helvetica', 'Helvetica-Bold', 'Courier'] as const

export function pdf(pages: readonly DrawnPage[], trailer = ''): Buffer {
  const objects: Buffer[] = []
  const add = (content: string | Buffer) => objects.push(Buffer.from(content))
  const stream = (dictionary: string, bytes: Buffer, compressions = 1) => {
    let packed = bytes
    for (let time = 0; time < compressions; time += 1) packed = deflateSync(packed)
    const filters = Array<string>(compressions).fill('/FlateDecode').join(' ')
    const head = `<< ${dictionary} /Filter [${filters}] /Length ${packed.length} >>\nstream\n`
    return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])
  }
  const kids = pages.map((_, index) => `${fonts.length + 3 + index * 3} 0 R`)
  add('<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>')
  add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`)
  for (const font of fonts) add(`<< /Type /Font /Subtype /Type1 /BaseFont /${font} >>`)
  const fontList = fonts.map((_, index) => `/F${index} ${index + 3} 0 R`).join(' ')
  const forms = pages.flatMap((page) => page.forms ?? [])
  const firstForm = fonts.length + 3 + pages.length * 3
  const formList = forms.map(({ name }, index) => `/${name} ${firstForm + index} 0 R`).join(' ')
  for (const page of pages) {
    const number = objects.length + 1
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${extrasOf(page)} /Contents ${number + 1} 0 R
       /Resources << /Font << ${fontList} >> /XObject << /Im ${number + 2} 0 R ${formList} >> >> >>`,
    )
    add(stream('', Buffer.from(drawingOf(page)), page.compressions))
    const { width, height, pixels } = page.picture ?? {
      width: 1,
      height: 1,
      pixels: Buffer.of(255),
    }
    const look = `/Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`
    add(stream(`/Type /XObject /Subtype /Image ${look}`, pixels))
  }
  for (const { drawing } of forms) {
    const resources = `/Resources << /XObject << ${formList} >> >>`
    add(stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`, Buffer.from(drawing)))
  }
  return assemble(objects, trailer)
}

function extrasOf({ crop, fields = [] }: DrawnPage): string {
  const widgets = fields.map((entries) => `<< /Type /Annot /Subtype /Widget /F 4 ${entries} >>`)
  return `${crop ? `/CropBox [${crop.join(' ')}]` : ''} /Annots [${widgets.join(' ')}]`
}

function drawingOf({ texts = [], lines = [], picture, drawing = '' }: DrawnPage): string {
  return [
    drawing,
    ...(picture ? ['q 612 0 0 792 0 0 cm /Im Do Q'] : []),
    ...texts.map(({ text, x, y, size = 10, font = 'Helvetica', isTurned = false }) => {
      const turn = isTurned ? '0 1 -1 0' : '1 0 0 1'
      const written = text.replace(/[\\()]/g, '\\$&')
      return `BT /F${fonts.indexOf(font)} ${size} Tf ${turn} ${x} ${y} Tm (${written}) Tj ET`
    }),
    ...lines.map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`),
  ].join('\n')
}

function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    length += part.length
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}
