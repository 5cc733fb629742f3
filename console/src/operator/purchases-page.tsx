import type { Routes } from '@tollway/client'
import { useState } from 'preact/hooks'
import { filled } from '../filled.ts'
import { readDollars, wrongDollars } from '../format/money.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { accountColumn } from '../parts/account-link.tsx'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { TextField } from '../parts/field.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

export function PurchasesPage(_: PageProps) {
  const purchases = useLoad('purchases', (signal) =>
    tollway.request('GET /api/v1/admin/purchases', { signal }),
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
            idOf={({ transaction_id }) => transaction_id}
            empty="No purchase is in doubt."
            columns={[
              { name: 'Since', show: ({ started_at }) => <Time at={started_at} /> },
              { name: 'Action', show: ({ action }) => action },
              accountColumn,
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
                    <Charge id={transaction_id} decided={purchases.reload} />
                    <Void id={transaction_id} decided={purchases.reload} />
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

interface DecisionProps {
  id: string
  decided: () => void
}

const decide = (id: string, body: Routes['POST /api/v1/admin/purchases/{id}']['body']) =>
  tollway.request('POST /api/v1/admin/purchases/{id}', { path: { id }, body })

function Charge({ id, decided }: DecisionProps) {
  const [note, setNote] = useState('')
  const [dollars, setDollars] = useState('')
  const cents = readDollars(dollars)
  const isWrong = dollars.trim() !== '' && cents === undefined
  return (
    <ConfirmButton
      label="Charge"
      of={id}
      needs="POST /api/v1/admin/purchases/{id}"
      confirm="Charge the caller"
      question="The seller has delivered: the caller pays for the order."
      work={async () => {
        if (isWrong) throw new Error(wrongDollars)
        await decide(id, { outcome: 'charge', note, ...filled({ charged_cents: cents }) })
        decided()
      }}
    >
      <TextField
        label="Dollars"
        about="Empty: the whole amount held."
        value={dollars}
        change={setDollars}
        problem={isWrong ? wrongDollars : undefined}
      />
      <Note note={note} change={setNote} />
    </ConfirmButton>
  )
}

function Void({ id, decided }: DecisionProps) {
  const [note, setNote] = useState('')
  return (
    <ConfirmButton
      label="Void"
      of={id}
      needs="POST /api/v1/admin/purchases/{id}"
      confirm="Give the money back"
      question="The seller has not delivered: the caller is charged nothing."
      work={async () => {
        await decide(id, { outcome: 'void', note })
        decided()
      }}
    >
      <Note note={note} change={setNote} />
    </ConfirmButton>
  )
}

const Note = ({ note, change }: { note: string; change: (note: string) => void }) => (
  <TextField label="Note" about="How you know. It is kept." value={note} change={change} required />
)
