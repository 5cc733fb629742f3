// How the boxes of a machine are shared among accounts.
import { expect, test } from 'vitest'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import { createMachine, shareOf } from './machine.ts'

const { signal } = new AbortController()

/** Boxes without a content: only when they open and end matters here. */
function sharedMachine(boxesMax: number, boxesPerAccountMax = shareOf(boxesMax)) {
  const ends: (() => void)[] = []
  let failing = false
  const machine = createMachine({
    boxesMax,
    boxesPerAccountMax,
    boxes: {
      async open() {
        if (failing) throw new Error('There is no memory.')
        const { promise: ended, resolve } = Promise.withResolvers<void>()
        ends.push(resolve)
        return { ended } as unknown as StandingBox
      },
    },
  })
  return {
    open: (accountId: string) => machine.open(accountId, signal),
    ends,
    fail(isFailing: boolean) {
      failing = isFailing
    },
  }
}

test('one account takes half of the boxes, and is told what to close', async () => {
  const { open } = sharedMachine(40)
  const opened = await Promise.allSettled(Array.from({ length: 40 }, () => open('greedy')))
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  await expect(open('greedy')).rejects.toMatchObject({
    code: 'too_many_inflight',
    status: 429,
    retryAfterSeconds: 30,
    message: expect.stringContaining('Your account has 20 boxes open'),
  })
  await open('other')
})

test('a machine whose boxes are all taken says that, and not that one should close one', async () => {
  const { open } = sharedMachine(2)
  await open('first')
  await open('second')
  await expect(open('third')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^All boxes of this machine are taken\./),
  })
})

test('a box that ends, and one that does not open, give their place back', async () => {
  const { open, ends, fail } = sharedMachine(2)
  await open('first')
  ends[0]?.()
  await Promise.resolve()
  await open('first')
  ends[1]?.()
  await Promise.resolve()
  fail(true)
  for (let turn = 0; turn < 5; turn++)
    await expect(open('first')).rejects.toMatchObject({ code: 'unavailable' })
  fail(false)
  await open('first')
})
