// Chromium now and then refuses a screenshot of a page that has no frame to show yet, and takes it a moment later.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession } from 'playwright-core'

export interface ScreenshotWish {
  readonly format: 'png' | 'webp'
  readonly quality?: number
  readonly clip: Record<'x' | 'y' | 'width' | 'height' | 'scale', number>
  readonly captureBeyondViewport?: boolean
  readonly optimizeForSpeed?: boolean
}

const triesMax = 4
const pauseMs = 100
const passingRefusal = 'Unable to capture screenshot'

/** Answers with the picture in base64. */
export async function captureScreenshot(
  session: Pick<CDPSession, 'send'>,
  wish: ScreenshotWish,
): Promise<string> {
  for (let tried = 1; ; tried += 1) {
    try {
      const { data } = await session.send('Page.captureScreenshot', wish)
      return data
    } catch (thrown) {
      const isPassing = thrown instanceof Error && thrown.message.includes(passingRefusal)
      if (!isPassing || tried === triesMax) throw thrown
      await sleep(pauseMs)
    }
  }
}
