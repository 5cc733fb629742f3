// The frames of a page that was fetched. Those of the same site are part of what the page shows; others are
// advertisements, players and the like.
import { listFrames, type PageFrame } from '@tollway/reader'
import { CallError } from '#core/errors.ts'
import { isSameSite } from '../pages/same-site.ts'

/** Limits the frames of one page, with those inside of frames. */
const framesMax = 6
/** A frameset may stand in a frame of another. */
const depthMax = 2

export interface FetchedFrame {
  readonly html: string
  readonly finalUrl: string
}

/** Frames that cannot be fetched are left out. Throws CallError, or the reason of the signal. */
export async function fetchFrames(
  page: FetchedFrame,
  fetchFrame: (url: string) => Promise<FetchedFrame | undefined>,
  signal: AbortSignal,
): Promise<readonly PageFrame[]> {
  let left = framesMax
  const asked = new Set([page.finalUrl])
  const framesOf = async (
    { html, finalUrl }: FetchedFrame,
    depth: number,
  ): Promise<PageFrame[]> => {
    const links = listFrames(html, finalUrl).filter(({ url }) => {
      if (left === 0 || (url !== undefined && (asked.has(url) || !isSameSite(url, page.finalUrl))))
        return false
      left -= 1
      if (url !== undefined) asked.add(url)
      return true
    })
    const frames = await Promise.all(
      links.map(async ({ at, url, html: inline }): Promise<PageFrame | undefined> => {
        const found = url === undefined ? { html: inline ?? '', finalUrl } : await attempt(url)
        if (found === undefined) return undefined
        const own = depth < depthMax ? await framesOf(found, depth + 1) : []
        return { at, html: found.html, url: found.finalUrl, frames: own }
      }),
    )
    return frames.filter((frame) => frame !== undefined)
  }
  const attempt = async (url: string): Promise<FetchedFrame | undefined> => {
    const found = await fetchFrame(url).catch((thrown) => {
      signal.throwIfAborted()
      if (thrown instanceof CallError) throw thrown
      return undefined
    })
    return found && isSameSite(found.finalUrl, page.finalUrl) ? found : undefined
  }
  return framesOf(page, 1)
}
