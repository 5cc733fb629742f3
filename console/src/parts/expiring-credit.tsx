import type { AnswerOf } from '../gateway.ts'
import { Amount } from './amount.tsx'
import { Table } from './table.tsx'
import { Time } from './time.tsx'

/** Nothing where no credit expires. */
export function ExpiringCredit({
  grants,
}: {
  grants: AnswerOf<'GET /api/v1/account'>['expiring_credit']
}) {
  if (grants.length === 0) return null
  return (
    <section class="stack">
      <h2>Credit that expires</h2>
      <p class="quiet">It is spent before the rest, and what expires first is spent first.</p>
      <Table
        caption="Credit that expires"
        rows={grants}
        columns={[
          { name: 'Expires', show: ({ expires_at }) => <Time at={expires_at} /> },
          {
            name: 'Left',
            isAmount: true,
            show: ({ left_usd }) => <Amount usd={left_usd} rounds="down" />,
          },
          {
            name: 'Given',
            isAmount: true,
            show: ({ granted_usd }) => <Amount usd={granted_usd} rounds="down" />,
          },
          { name: 'Reason', show: ({ reason }) => reason },
        ]}
      />
    </section>
  )
}
