import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { Amount } from '../parts/amount.tsx'
import { Problem } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'

/** The actions that lose money, and what to do. Nothing where none does. */
export function SalesBelowCost() {
  const found = useLoad('sales below cost', (signal) =>
    tollway.request('GET /api/v1/admin/sales-below-cost', { signal }),
  )
  const actions = found.value?.actions ?? []
  if (actions.length === 0) return <Problem error={found.error} retry={found.reload} />
  return (
    <section class="notice bad stack">
      <h2>Sold below cost in the last 30 days</h2>
      <Table
        caption="Actions that are sold below cost"
        rows={actions}
        columns={[
          { name: 'Action', show: ({ action }) => <code>{action}</code> },
          { name: 'Price', show: ({ price }) => price ?? 'not sold any more' },
          { name: 'Loss', isAmount: true, show: ({ loss_usd }) => <Amount usd={loss_usd} /> },
          {
            name: 'Calls of known cost',
            isAmount: true,
            show: ({ calls_with_known_cost }) => calls_with_known_cost.toLocaleString(),
          },
          { name: 'What to do', show: ({ what_to_do }) => what_to_do },
          {
            name: 'Price of your own',
            show: ({ action, is_replaceable }) =>
              is_replaceable && (
                <a href={addressOf(`/operator/prices?${new URLSearchParams({ action })}`)}>
                  Change the price
                </a>
              ),
          },
        ]}
      />
    </section>
  )
}
