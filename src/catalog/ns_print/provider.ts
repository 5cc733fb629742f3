import { defineProvider } from '#core/provider.ts'
import { order } from './order.ts'
import { orderStatus } from './order_status.ts'
import { validate } from './validate.ts'

export const print = defineProvider({
  id: 'ns_print',
  title: 'PostalForm',
  docs: 'https://postalform.com',
  upstream: { baseUrl: 'https://postalform.com/api/machine/mpp', wallet: true, timeoutMs: 60_000 },
  actions: [validate, order, orderStatus],
})
