import { lastDays } from '../format/time.ts'
import { addressOf } from '../router.ts'

/** Where the calls of the last days are listed, today among them. */
export const callsOfDays = (days: number, filters: Readonly<Record<string, string>>) =>
  addressOf(
    `/operator/transactions?${new URLSearchParams({ type: 'call', from: lastDays(days, new Date())[0] ?? '', ...filters })}`,
  )
