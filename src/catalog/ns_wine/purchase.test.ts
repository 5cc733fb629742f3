import { expect, test } from 'vitest'
import { replayAction } from '#test/run-action.ts'
import { wine } from './provider.ts'

const id = 'cab-2019'
const rest = {
  email: 'ada@example.org',
  shipping: {
    name: 'Ada Example',
    address_1: '1 Main St',
    city: 'Denver',
    state: 'CO',
    zip: '80202',
    country: 'US',
  },
}

test.each(['product', 'product_id'])(
  '%s names the bottle, as the estate wants it',
  async (name) => {
    const { output } = await replayAction(wine, 'purchase', {
      exchanges: [
        {
          request: {
            method: 'POST',
            path: '/purchase',
            query: {},
            body: { ...rest, quantity: 1, product_id: id },
          },
          reply: { status: 200, body: { order_id: 'o1', pricing: { total: 60.5 } } },
        },
      ],
      input: { ...rest, [name]: id },
    })
    expect(output).toMatchObject({ order_id: 'o1', total_usd: 60.5 })
  },
)

test.each([{}, { product: 'a', product_id: 'a' }])('%o is refused', async (sent) => {
  const { error } = await replayAction(wine, 'purchase', {
    exchanges: [],
    input: { ...rest, ...sent },
  })
  expect(error?.name).toBe('ZodError')
})
