// Bounds what a PDF makes pdf.js do. It has no limits of its own, and its worker exports nothing of what must be
// bounded, so that its classes are exported while it is loaded.
import { registerHooks } from 'node:module'
import { tooLarge } from '../failure.ts'

/** Of one stream. Beyond the first, the inflated bytes are at most so many times the file's, as those of archives. */
const inflatedBytesMax = { always: 50_000_000, ratio: 100, ever: 300_000_000 } as const
/** Of one reading of a page. A large map has a million lines, and a page of small print 20,000 texts. */
const operatorsMax = 3_000_000
/** As many lines as take as long: to show text, and to draw a form. By the numbers that pdf.js gives to operators. */
const operatorCosts: ReadonlyMap<number, number> = new Map([
  ...[44, 45, 46, 47].map((showText) => [showText, 10] as const),
  [66, 100],
])

const bounds = { inflatedMax: 0, operators: 0, isExceeded: false }

/** The bounds are those of the document that was opened last: a process reads one. */
export function boundDocument(bytes: number): void {
  const { always, ratio, ever } = inflatedBytesMax
  bounds.inflatedMax = Math.min(ever, Math.max(always, bytes * ratio))
  bounds.isExceeded = false
}

/** Throws DocumentFailure where the reading passed a bound, which pdf.js itself takes for a damaged page. */
export async function withinBounds<Value>(reading: Promise<Value>): Promise<Value> {
  bounds.operators = 0
  try {
    return await reading
  } finally {
    // biome-ignore lint/correctness/noUnsafeFinally: what is thrown or returned follows from the bound.
    if (bounds.isExceeded) throw tooMuch()
  }
}

const tooMuch = () =>
  tooLarge(
    'A page of the PDF has far more content than a page shows. Print it to a new PDF and send that.',
  )

function check(isWithin: boolean): void {
  if (!isWithin) bounds.isExceeded = true
  if (bounds.isExceeded) throw tooMuch()
}

interface PdfJsWorker {
  readonly DecodeStream: { prototype: { ensureBuffer(requested: number): Uint8Array } }
  readonly EvaluatorPreprocessor: { prototype: { read(operation: { fn?: number }): boolean } }
}

const name = 'pdf.worker.mjs'

export async function loadBoundedWorker(): Promise<void> {
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(name)) return loaded
      const exported = '\nexport { DecodeStream, EvaluatorPreprocessor };\n'
      return { ...loaded, source: `${loaded.source}${exported}` }
    },
  })
  const worker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs')
  hooks.deregister()
  boundClasses(worker as unknown as PdfJsWorker)
  globalThis.DecompressionStream = boundInflation(globalThis.DecompressionStream)
}

function boundClasses({ DecodeStream, EvaluatorPreprocessor }: PdfJsWorker): void {
  const { ensureBuffer } = DecodeStream.prototype
  DecodeStream.prototype.ensureBuffer = function (requested) {
    check(requested <= bounds.inflatedMax)
    return ensureBuffer.call(this, requested)
  }
  const { read } = EvaluatorPreprocessor.prototype
  EvaluatorPreprocessor.prototype.read = function (operation) {
    const isRead = read.call(this, operation)
    bounds.operators += operatorCosts.get(operation.fn ?? 0) ?? 1
    check(bounds.operators <= operatorsMax)
    return isRead
  }
}

/** pdf.js inflates most streams by Node's own class. */
function boundInflation(Inflation: typeof DecompressionStream): typeof DecompressionStream {
  return class extends Inflation {
    override get readable() {
      let inflated = 0
      const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          inflated += chunk.byteLength
          check(inflated <= bounds.inflatedMax)
          controller.enqueue(chunk)
        },
      })
      return super.readable.pipeThrough(counting)
    }
  }
}
