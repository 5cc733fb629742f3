// Draws the pictures of a page in shades of grey, at the size that character recognition reads best.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Matrix, multiply, type PageContentParts, type PlacedImage } from './page-content.ts'

/** A byte for each pixel, row after row. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
  readonly dotsPerPoint: number
}

/** From 100 to 400 dots per inch: what the pictures have, because larger pixels would only be copies. */
const dotsPerPoint = { min: 100 / 72, max: 400 / 72 } as const
/** A larger page is drawn smaller. */
const pixelsMax = 16_000_000
const imagesMax = 200
const white = 255

/** As pdf.js decodes it. */
interface DecodedImage {
  readonly width: number
  readonly height: number
  /** 1: a bit for each pixel; 2: red, green, blue; 3: with alpha. */
  readonly kind: number
  readonly data: Uint8Array
}

export async function composeScan(
  page: PDFPageProxy,
  { width, height, images }: PageContentParts,
): Promise<GreyImage> {
  const placed: { readonly image: DecodedImage; readonly matrix: Matrix }[] = []
  for (const each of images.slice(0, imagesMax)) {
    const image = await decoded(page, each)
    if (image !== undefined) placed.push({ image, matrix: each.matrix })
  }
  const finest = Math.max(
    ...placed.map(({ image, matrix: [a, b] }) => image.width / (Math.hypot(a, b) || 1)),
  )
  const wanted = Math.min(dotsPerPoint.max, Math.max(dotsPerPoint.min, finest))
  const scale = Math.min(wanted, Math.sqrt(pixelsMax / (width * height)))
  const grey = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    dotsPerPoint: scale,
  }
  const pixels = new Uint8Array(grey.width * grey.height).fill(white)
  for (const { image, matrix } of placed)
    draw({ ...grey, pixels }, image, multiply([scale, 0, 0, scale, 0, 0], matrix))
  return { ...grey, pixels }
}

async function decoded(
  page: PDFPageProxy,
  { source }: PlacedImage,
): Promise<DecodedImage | undefined> {
  const name = typeof source === 'string' ? source : undefined
  const store = name?.startsWith('g_') ? page.commonObjs : page.objs
  const image =
    name === undefined
      ? source
      : await new Promise((resolve) => store.get(name, (found: unknown) => resolve(found)))
  const { width, height, data } = (image ?? {}) as Partial<DecodedImage>
  return width && height && data ? (image as DecodedImage) : undefined
}

/** Each pixel of the page that the picture covers takes the shade of the pixel that it falls on. */
function draw(page: GreyImage, image: DecodedImage, matrix: Matrix): void {
  const [a, b, c, d, e, f] = matrix
  const determinant = a * d - b * c
  if (determinant === 0) return
  const xs = [e, e + a, e + c, e + a + c]
  const ys = [f, f + b, f + d, f + b + d]
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, Math.round(value)))
  const [left, right] = [clamp(Math.min(...xs), page.width), clamp(Math.max(...xs), page.width)]
  const [top, bottom] = [clamp(Math.min(...ys), page.height), clamp(Math.max(...ys), page.height)]
  const shade = shadeOf(image)
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const [dx, dy] = [x + 0.5 - e, y + 0.5 - f]
      const u = (d * dx - c * dy) / determinant
      const v = (a * dy - b * dx) / determinant
      if (u < 0 || u >= 1 || v < 0 || v >= 1) continue
      // A picture's first row is its top, and the unit square's is its bottom.
      const column = Math.floor(u * image.width)
      const row = Math.floor((1 - v) * image.height)
      page.pixels[y * page.width + x] = shade(column, Math.min(row, image.height - 1))
    }
}

function shadeOf({ width, kind, data }: DecodedImage): (column: number, row: number) => number {
  if (kind === 1) {
    const bytesPerRow = Math.ceil(width / 8)
    return (column, row) =>
      ((data[row * bytesPerRow + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1 ? white : 0
  }
  const channels = kind === 2 ? 3 : 4
  return (column, row) => {
    const at = (row * width + column) * channels
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]]
    return Math.round(0.299 * red + 0.587 * green + 0.114 * blue)
  }
}
