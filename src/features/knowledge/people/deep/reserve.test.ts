import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReserve, type Share } from './reserve.ts'

const taken = async (share: Promise<Share | undefined>): Promise<Share> => {
  const found = await share
  if (found === undefined) throw new Error('Less is left.')
  return found
}

test('a row waits while another may give back, and is refused when it does not', async () => {
  const reserve = createReserve(10)
  const first = await taken(reserve.take(8))
  const second = reserve.take(5)
  const third = reserve.take(5)
  first.settle(3)
  ;(await taken(second)).settle(5)
  expect(await third).toBeUndefined()
  expect(reserve.left()).toBe(2)
})

test('rows are served in turn: a small one does not pass a large one', async () => {
  const reserve = createReserve(10)
  const first = await taken(reserve.take(8))
  const order: string[] = []
  const large = reserve.take(9).then((share) => {
    order.push('large')
    share?.settle(0)
  })
  const small = reserve.take(2).then(() => order.push('small'))
  first.settle(0)
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
})

test('rows that take and give back at the same time never spend more than there is', async () => {
  const asked = fc.record({ micros: fc.integer({ min: 0, max: 60 }), spent: fc.nat(80) })
  await fc.assert(
    fc.asyncProperty(fc.nat(100), fc.array(asked, { maxLength: 12 }), async (total, rows) => {
      const reserve = createReserve(total)
      let spentInAll = 0
      await Promise.all(
        rows.map(async ({ micros, spent }) => {
          const share = await reserve.take(micros)
          if (share === undefined) return
          await Promise.resolve()
          share.settle(spent)
          spentInAll += Math.min(spent, micros)
        }),
      )
      expect(spentInAll).toBeLessThanOrEqual(total)
      expect(reserve.left()).toBe(total - spentInAll)
    }),
  )
})
