import type { CDPSession } from 'playwright-core'
import { expect, test } from 'vitest'
import { captureScreenshot } from './screenshot.ts'

const wish = { format: 'png', clip: { x: 0, y: 0, width: 1, height: 1, scale: 1 } } as const
const refusal = new Error('Protocol error (Page.captureScreenshot): Unable to capture screenshot')

/** A session that fails in this order, and then takes the picture. */
function sessionAfter(...failures: Error[]) {
  const sent: unknown[] = []
  const send = async (...message: unknown[]) => {
    sent.push(message)
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return { data: 'cGljdHVyZQ==' }
  }
  return { session: { send } as unknown as CDPSession, sent }
}

test('a screenshot that Chromium refuses for a moment is taken again', async () => {
  const { session, sent } = sessionAfter(refusal, refusal)
  expect(await captureScreenshot(session, wish)).toBe('cGljdHVyZQ==')
  expect(sent).toEqual([1, 2, 3].map(() => ['Page.captureScreenshot', wish]))
})

test('a refusal that stays is the answer', async () => {
  const { session } = sessionAfter(...Array.from({ length: 9 }, () => refusal))
  await expect(captureScreenshot(session, wish)).rejects.toBe(refusal)
})

test('other failures are not repeated', async () => {
  const closed = new Error('Target page, context or browser has been closed')
  const { session, sent } = sessionAfter(closed)
  await expect(captureScreenshot(session, wish)).rejects.toBe(closed)
  expect(sent).toHaveLength(1)
})
