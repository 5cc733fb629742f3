// What the lists of keys and of connected apps show alike.
import type { AnswerOf } from '../gateway.ts'
import { Amount } from '../parts/amount.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

export type Key = AnswerOf<'GET /api/v1/keys'>['keys'][number]

export const keyColumns: readonly Column<Key>[] = [
  { name: 'Limits', show: (key) => <Limits of={key} /> },
  {
    name: 'Today',
    isAmount: true,
    show: ({ spending }) => <Amount usd={spending.day.spent_usd} />,
  },
  {
    name: 'This month',
    isAmount: true,
    show: ({ spending }) => <Amount usd={spending.month.spent_usd} />,
  },
  { name: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
]

function Limits({ of: key }: { of: Key }) {
  const { max_cents_per_call: call, max_cents_per_day: day, max_cents_per_month: month } = key
  const dollars = (cents: number) => (cents / 100).toFixed(2)
  const written = [
    call !== null && `$${dollars(call)} a call`,
    day !== null && `$${dollars(day)} a day`,
    month !== null && `$${dollars(month)} a month`,
    key.requests_per_minute !== null && `${key.requests_per_minute} calls a minute`,
    key.tokens_per_minute !== null && `${key.tokens_per_minute} tokens a minute`,
    key.actions?.join(', '),
    key.models?.join(', '),
  ].filter((text) => typeof text === 'string')
  return (
    <>
      {written.length === 0 ? <span class="quiet">none</span> : written.join(' · ')}
      {key.expires_at && (
        <>
          {' '}
          until <Time at={key.expires_at} />
        </>
      )}
    </>
  )
}
