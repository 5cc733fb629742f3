import { useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { TextField } from '../parts/field.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { ask, type Purchase } from './operator.ts'

export function PurchasesPage(_: PageProps) {
  const purchases = useLoad('purchases', (signal) =>
    ask<{ purchases: Purchase[] }>('GET purchases', { signal }),
  )
  return (
    <Page title="Purchases in doubt">
      <p>
        The seller may or may not have taken these orders. The money stays held until you decide.
        Ask the seller by the reference first.
      </p>
      <Shown of={purchases}>
        {({ purchases: rows }) => (
          <Table
            caption="Purchases in doubt"
            rows={rows}
            empty="No purchase is in doubt."
            columns={[
              { name: 'Since', show: ({ started_at }) => <Time at={started_at} /> },
              { name: 'Action', show: ({ action }) => action },
              { name: 'Reference', show: ({ reference }) => <code>{reference}</code> },
              { name: 'Doubt', show: ({ doubt }) => doubt },
              { name: 'Held', isAmount: true, show: ({ held_usd }) => <Amount usd={held_usd} /> },
              {
                name: 'Paid',
                show: ({ payments }) =>
                  payments.map(({ usd, payee }) => (
                    <div key={payee}>
                      <Amount usd={usd} /> to <code>{payee}</code>
                    </div>
                  )),
              },
              {
                name: 'Decide',
                show: ({ transaction_id }) => (
                  <span class="bar start">
                    <Decision id={transaction_id} outcome="charge" decided={purchases.reload} />
                    <Decision id={transaction_id} outcome="void" decided={purchases.reload} />
                  </span>
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}

const outcomes = {
  charge: {
    label: 'Charge',
    confirm: 'Charge the caller',
    question: 'The seller has delivered: the held amount is charged to the caller.',
  },
  void: {
    label: 'Void',
    confirm: 'Give the money back',
    question: 'The seller has not delivered: the caller is charged nothing.',
  },
} as const

function Decision({
  id,
  outcome,
  decided,
}: {
  id: string
  outcome: keyof typeof outcomes
  decided: () => void
}) {
  const [note, setNote] = useState('')
  return (
    <ConfirmButton
      {...outcomes[outcome]}
      work={async () => {
        await ask('POST purchases/{id}', { path: { id }, body: { outcome, note } })
        decided()
      }}
    >
      <TextField
        label="Note"
        about="How you know. It is kept."
        value={note}
        change={setNote}
        required
      />
    </ConfirmButton>
  )
}
