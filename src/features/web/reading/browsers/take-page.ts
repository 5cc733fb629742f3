// Takes a page out of a browser as a person sees it, with its frames of the same site.
import { randomBytes } from 'node:crypto'
import type { PageFrame } from '@tollway/reader'
import type { CDPSession } from 'playwright-core'
import type { Clock } from '#core/ports.ts'
import { isSameSite } from '../pages/same-site.ts'
import { hasTransparentText, heightOfPage, markFrame, takeHtml } from './page-script.ts'

export interface TakenPage {
  readonly html: string
  readonly frames: readonly PageFrame[]
  /** The page is longer than `charactersMax`, and this is its beginning. */
  readonly isCut: boolean
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[] | undefined
}

const framesMax = 6
const depthMax = 2
/** A page that shows its parts as they are scrolled into view is made so high that all of them are. */
const heightMax = 15_000
const revealMs = 700

/** Throws an Error while the page is on its way to another one. */
export async function takePage(
  session: CDPSession,
  { clock, charactersMax }: { readonly clock: Clock; readonly charactersMax: number },
): Promise<TakenPage> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const page = createFrameReader(session)
  const top = await page.open(frameTree.frame.id)
  if (await top.evaluate<boolean>(hasTransparentText)) await reveal(session, top, clock)

  let framesLeft = framesMax
  let charactersLeft = charactersMax
  const take = async (tree: FrameTree, depth: number): Promise<TakenPage> => {
    const world = depth === 0 ? top : await page.open(tree.frame.id)
    const inner: { mark: string; taken: TakenPage; url: string }[] = []
    for (const child of depth < depthMax ? (tree.childFrames ?? []) : []) {
      const url = addressOf(child, tree)
      if (framesLeft === 0 || url === undefined || !isSameSite(url, frameTree.frame.url)) continue
      framesLeft -= 1
      const mark = randomBytes(12).toString('hex')
      // A frame that leaves meanwhile, or runs in another process, is left out.
      const taken = await world.mark(child.frame.id, mark).then(
        (isSeen) => (isSeen ? take(child, depth + 1).catch(() => undefined) : undefined),
        () => undefined,
      )
      if (taken !== undefined) inner.push({ mark, taken, url })
    }
    const { html, isCut } = await world.evaluate<{ html: string; isCut: boolean }>(
      takeHtml(Math.max(0, charactersLeft)),
    )
    charactersLeft -= html.length
    const frames = inner
      .map(({ mark, taken, url }) => ({ ...taken, url, at: html.indexOf(`<!--${mark}-->`) }))
      .filter(({ at }) => at !== -1)
    return { html, isCut, frames }
  }
  return await take(frameTree, 0)
}

/** Where the links of a frame lead from. Undefined for frames without a page. */
function addressOf({ frame, childFrames: _ }: FrameTree, parent: FrameTree): string | undefined {
  if (frame.url === 'about:srcdoc')
    return /^http/.test(parent.frame.url) ? parent.frame.url : undefined
  return /^https?:/.test(frame.url) ? frame.url : undefined
}

interface FrameWorld {
  evaluate<Value>(expression: string): Promise<Value>
  /** Marks the place of a frame in this one. False where it is not seen. */
  mark(frameId: string, mark: string): Promise<boolean>
}

/** Frames are read in worlds of their own, so that no page can lie about itself or its length. */
function createFrameReader(session: CDPSession) {
  return {
    async open(frameId: string): Promise<FrameWorld> {
      const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId })
      return {
        async evaluate<Value>(expression: string): Promise<Value> {
          const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
            expression,
            contextId: executionContextId,
            returnByValue: true,
          })
          if (exceptionDetails !== undefined)
            throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
          return result.value as Value
        },
        async mark(childId, mark) {
          const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId: childId })
          const { object } = await session.send('DOM.resolveNode', {
            backendNodeId,
            executionContextId,
          })
          const { result } = await session.send('Runtime.callFunctionOn', {
            objectId: object.objectId as string,
            functionDeclaration: markFrame,
            arguments: [{ value: mark }],
            returnByValue: true,
          })
          return result.value === true
        },
      }
    },
  }
}

async function reveal(session: CDPSession, top: FrameWorld, clock: Clock): Promise<void> {
  const height = Math.min(heightMax, Math.max(900, await top.evaluate<number>(heightOfPage)))
  const size = { width: 0, height, deviceScaleFactor: 0, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', size)
  await clock.sleep(revealMs)
}
