// Draws text and shapes with Chromium, as transparent PNG pictures. The pages hold no script and reach no network.
import type { Browser, BrowserType, Page } from 'playwright-core'
import { launchChromium } from '#platform/chromium/chromium.ts'
import { captureScreenshot } from '#platform/chromium/screenshot.ts'
import type { Extent, Rectangle } from '../compile/placement.ts'
import { type DrawnState, emojiFace } from '../components/drawing.ts'
import type { DrawingJob } from './drawings.ts'

export interface DrawnClip {
  readonly clipId: string
  /** Where the whole drawing lies, in pixels of the canvas. */
  readonly rectangle: Rectangle
  /** The part of it that the pictures hold. */
  readonly part: Rectangle
  readonly pictures: readonly DrawnPicture[]
}

export interface DrawnPicture {
  /** PNG. Equal states share their bytes. */
  readonly bytes: Uint8Array
  readonly frames: number
}

export interface DrawOptions {
  readonly executablePath: string
  /** ChromiumOptions documents it. */
  readonly chromiumSandbox: boolean
  readonly signal: AbortSignal
  /** Called with the fraction that is drawn. */
  readonly report: (part: number) => void
}

/** Nothing listens there, so nothing is loaded. */
const deadProxyUrl = 'http://127.0.0.1:9'
/** A picture has at most so many pixels for each pixel of the canvas: twice as many are seen of one that is turned. */
const pixelsPerCanvasPixel = 2
/** Pixels around a picture for its shadow, in hundredths of the shorter side. */
const bleed = 2

export async function drawClips(
  jobs: readonly DrawingJob[],
  canvas: Extent,
  options: DrawOptions,
): Promise<DrawnClip[]> {
  if (jobs.length === 0) return []
  const { executablePath, chromiumSandbox: sandbox, signal, report } = options
  const driver: BrowserType = (await import('playwright-core')).chromium
  signal.throwIfAborted()
  const running = await launchChromium({
    executablePath,
    sandbox,
    driver,
    proxyUrl: deadProxyUrl,
    hasPictures: true,
  })
  // Closing the browser ends what waits for it.
  const stop = () => void running.close()
  signal.addEventListener('abort', stop, { once: true })
  const total = jobs.reduce((sum, { states }) => sum + states.length, 0)
  let done = 0
  try {
    // It may have been aborted while the browser started.
    signal.throwIfAborted()
    const drawn: DrawnClip[] = []
    for (const job of jobs) {
      const clip = await drawClip(running.browser, job, canvas, () => {
        done += 1
        report(done / total)
      })
      if (clip !== undefined) drawn.push(clip)
    }
    return drawn
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    signal.removeEventListener('abort', stop)
    await running.close()
  }
}

async function drawClip(
  browser: Browser,
  job: DrawingJob,
  canvas: Extent,
  onState: () => void,
): Promise<DrawnClip | undefined> {
  const { region, states } = job
  const viewport = { width: Math.ceil(region.w), height: Math.ceil(region.h) }
  const context = await browser.newContext({
    viewport,
    javaScriptEnabled: false,
    offline: true,
  })
  try {
    const page = await context.newPage()
    const unit = Math.min(canvas.width, canvas.height) / 100
    await page.setContent(documentOf(job, unit))
    const frame = await boundsOf(page, states, viewport, bleed * unit)
    if (frame === undefined) return undefined
    const rectangle = { x: region.x + frame.x, y: region.y + frame.y, w: frame.w, h: frame.h }
    const visible = job.visiblePart(rectangle)
    if (visible === undefined) return undefined
    const shown = wholePixelsOf(frame, visible)
    const pixelsMax = pixelsPerCanvasPixel * canvas.width * canvas.height
    const scale = Math.min(job.sharpness, Math.sqrt(pixelsMax / (shown.w * shown.h)))
    const pictures = await takePictures(page, states, { ...shown, scale }, onState)
    const part = {
      x: (shown.x - frame.x) / frame.w,
      y: (shown.y - frame.y) / frame.h,
      w: shown.w / frame.w,
      h: shown.h / frame.h,
    }
    return { clipId: job.clipId, rectangle, part, pictures }
  } finally {
    await context.close().catch(() => {})
  }
}

let emojiFaceOnce: string | undefined
function emojiStyle(): string {
  emojiFaceOnce ??= emojiFace()
  return emojiFaceOnce
}

function documentOf({ place, families }: DrawingJob, unit: number): string {
  const along = (less: string, more: string) =>
    place.includes(less) ? 'flex-start' : place.includes(more) ? 'flex-end' : 'center'
  const style = [
    emojiStyle(),
    'html,body{margin:0;background:transparent}',
    `#stage{position:fixed;inset:0;overflow:hidden;display:flex;--u:${unit}px;`,
    `--fallback:${[...families.map((name) => JSON.stringify(name)), 'sans-serif'].join()};`,
    `justify-content:${along('left', 'right')};align-items:${along('top', 'bottom')};`,
    'white-space:pre-wrap;overflow-wrap:anywhere}#stage>div{flex:none}',
  ]
  return `<!doctype html><meta charset="utf-8"><style>${style.join('')}</style><div id="stage"></div>`
}

/** Shows a state and answers with the edges of its element: left, top, right, bottom. */
const show = (page: Page, html: string) =>
  page.evaluate<[number, number, number, number]>(`(() => {
    const stage = document.getElementById('stage')
    stage.innerHTML = ${JSON.stringify(html)}
    const { left, top, right, bottom } = stage.firstElementChild.getBoundingClientRect()
    return [left, top, right, bottom]
  })()`)

/** The least rectangle of whole pixels that holds a part of a rectangle. */
function wholePixelsOf({ x, y, w, h }: Rectangle, part: Rectangle): Rectangle {
  const [left, top] = [Math.floor(x + part.x * w), Math.floor(y + part.y * h)]
  const right = Math.ceil(x + (part.x + part.w) * w)
  const bottom = Math.ceil(y + (part.y + part.h) * h)
  return { x: left, y: top, w: right - left, h: bottom - top }
}

/** The rectangle that holds every state; undefined if all are empty. */
async function boundsOf(
  page: Page,
  states: readonly DrawnState[],
  viewport: Extent,
  margin: number,
): Promise<Rectangle | undefined> {
  let [left, top, right, bottom] = [viewport.width, viewport.height, 0, 0]
  for (const html of new Set(states.map(({ html }) => html))) {
    const box = await show(page, html)
    if (box[2] <= box[0] || box[3] <= box[1]) continue
    left = Math.min(left, Math.floor(box[0] - margin))
    top = Math.min(top, Math.floor(box[1] - margin))
    right = Math.max(right, Math.ceil(box[2] + margin))
    bottom = Math.max(bottom, Math.ceil(box[3] + margin))
  }
  const [x, y] = [Math.max(0, left), Math.max(0, top)]
  const [w, h] = [Math.min(viewport.width, right) - x, Math.min(viewport.height, bottom) - y]
  return w > 0 && h > 0 ? { x, y, w, h } : undefined
}

async function takePictures(
  page: Page,
  states: readonly DrawnState[],
  { x, y, w: width, h: height, scale }: Rectangle & { readonly scale: number },
  onState: () => void,
): Promise<DrawnPicture[]> {
  // Playwright's own method takes twice the time.
  const browser = await page.context().newCDPSession(page)
  const color = { r: 0, g: 0, b: 0, a: 0 }
  await browser.send('Emulation.setDefaultBackgroundColorOverride', { color })
  const taking = {
    clip: { x, y, width, height, scale },
    ...({ format: 'png', optimizeForSpeed: true } as const),
  }
  const taken = new Map<string, Uint8Array>()
  const pictures: DrawnPicture[] = []
  for (const { html, frames } of states) {
    let bytes = taken.get(html)
    if (bytes === undefined) {
      await show(page, html)
      bytes = Buffer.from(await captureScreenshot(browser, taking), 'base64')
      taken.set(html, bytes)
    }
    pictures.push({ bytes, frames })
    onState()
  }
  return pictures
}
