// pdf.js without a canvas: it reads text, lines and pictures here, and draws nothing.
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as PdfJs from 'pdfjs-dist/legacy/build/pdf.mjs'
import { boundDocument, loadBoundedWorker } from './pdfjs-limits.ts'

// It makes these while it loads, and uses them only to draw.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value: class {} })
}
// It warns of the missing canvas before anything can tell it not to.
const { warn } = console
console.warn = () => {}
// The worker's code runs in this thread, which is the only one of its process.
await loadBoundedWorker()
const pdfjs: typeof PdfJs = await import('pdfjs-dist/legacy/build/pdf.mjs')
console.warn = warn

export const { OPS } = pdfjs

const packageFolder = path.dirname(
  createRequire(import.meta.url).resolve('pdfjs-dist/package.json'),
)
/** With a slash at its end, as pdf.js wants it. */
const packageFile = (name: string) => path.join(packageFolder, name)

/** A larger picture is not decoded. It has room for A2 at 300 dots per inch. */
const imagePixelsMax = 40_000_000

/** Throws the exceptions of pdf.js. */
export function openWithPdfJs(data: Uint8Array): Promise<PdfJs.PDFDocumentProxy> {
  boundDocument(data.length)
  return pdfjs.getDocument({
    data,
    cMapUrl: packageFile('cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: packageFile('standard_fonts/'),
    wasmUrl: packageFile('wasm/'),
    iccUrl: packageFile('iccs/'),
    maxImageSize: imagePixelsMax,
    disableFontFace: true,
    fontExtraProperties: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: 0,
  }).promise
}
