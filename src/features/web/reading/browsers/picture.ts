// A picture of a page in a browser, taken when its own pictures and fonts have arrived.
import type { CDPSession } from 'playwright-core'
import { captureScreenshot } from '#platform/chromium/screenshot.ts'
import { FetchFailure } from '#platform/egress/failure.ts'

export interface PictureWish {
  readonly format: 'png' | 'webp'
  /** The whole page, not only the part that a window shows. */
  readonly isFullPage: boolean
  /** Of the window, in CSS pixels. Absent: that of the device. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export interface Picture {
  readonly base64: string
  /** In pixels of the picture. */
  readonly width: number
  readonly height: number
  /** The end of a long page is left out. */
  readonly isCut: boolean
}

/** A picture of 16 000 000 pixels needs 64 MB in the browser. */
const pixelsMax = 16_000_000
/** WebP has at most 16 383 pixels on a side. */
const sidePixelsMax = 16_000
const pictureBytesMax = 5_000_000
const webpQuality = 80
/** For pictures and fonts; a page with some that never come is shown without them. */
const arrivalTimeoutMs = 3_000
/** Between two steps down the page, for what loads when it comes into view. */
const stepMs = 40

/** The session is one of the page, which stands still. Throws FetchFailure `too_large`. */
export async function takePicture(session: CDPSession, wish: PictureWish): Promise<Picture> {
  const evaluate = await createIsolatedWorld(session)
  if (wish.isFullPage) await evaluate(walkDown)
  await evaluate(arrival)
  const { cssContentSize, cssVisualViewport } = await session.send('Page.getLayoutMetrics')
  // A whole number, so that the size of the picture is one too.
  const scale = Math.max(1, Math.floor(Number(await evaluate('devicePixelRatio'))))
  const { pageX: x, pageY: y, clientWidth, clientHeight } = cssVisualViewport
  const shown = wish.isFullPage
    ? { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height }
    : { x, y, width: Math.round(clientWidth), height: Math.round(clientHeight) }
  const width = Math.min(shown.width, Math.floor(sidePixelsMax / scale))
  const heightMax = Math.min(sidePixelsMax / scale, pixelsMax / (width * scale ** 2))
  const height = Math.min(shown.height, Math.floor(heightMax))
  const base64 = await captureScreenshot(session, {
    format: wish.format,
    ...(wish.format === 'webp' && { quality: webpQuality }),
    clip: { ...shown, width, height, scale },
    captureBeyondViewport: wish.isFullPage,
  })
  if (Buffer.byteLength(base64, 'base64') > pictureBytesMax)
    throw new FetchFailure(
      'too_large',
      `The picture is larger than ${pictureBytesMax / 1_000_000} MB. Ask for webp, or for less of the page.`,
    )
  const isCut = height < shown.height || width < shown.width
  return { base64, width: width * scale, height: height * scale, isCut }
}

/** Evaluates expressions where the scripts of the page can change nothing. */
async function createIsolatedWorld(session: CDPSession) {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  return async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
    return result.value
  }
}

/** Pages load what is further down when it comes into view. */
const walkDown = `(async () => {
  const end = Math.min(document.documentElement.scrollHeight, ${sidePixelsMax})
  for (let top = innerHeight; top < end; top += innerHeight) {
    scrollTo({ top, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, ${stepMs}))
  }
  scrollTo({ top: 0, behavior: 'instant' })
})()`

/** The second frame after the last arrival shows it. */
const arrival = `(async () => {
  const arrivals = [...document.images].filter((image) => !image.complete).map((image) => new Promise((resolve) => {
    image.addEventListener('load', resolve)
    image.addEventListener('error', resolve)
  }))
  const late = new Promise((resolve) => setTimeout(resolve, ${arrivalTimeoutMs}))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await Promise.race([late, Promise.all([...arrivals, document.fonts.ready]).then(frame).then(frame)])
})()`
