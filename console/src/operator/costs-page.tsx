import { useState } from 'preact/hooks'
import { localTime, showTime } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton, nameOf } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'

type Costs = AnswerOf<'GET /api/v1/admin/costs'>
type Invoice = Costs['invoices'][number]

export function CostsPage(_: PageProps) {
  const costs = useLoad('costs', (signal) => tollway.request('GET /api/v1/admin/costs', { signal }))
  const [corrected, setCorrected] = useState<Invoice>()
  return (
    <Page title="Costs">
      <p>
        What calls cost at vendors that do not report it. The reply of a vendor comes first, then an
        invoice, then what you declare. <a href={addressOf('/operator/margins')}>Margins</a> show
        what is left.
      </p>
      <Shown of={costs}>
        {({ declared, invoices }) => (
          <>
            <DeclaredCosts declared={declared} changed={costs.reload} />
            <Invoices invoices={invoices} changed={costs.reload} correct={setCorrected} />
          </>
        )}
      </Shown>
      <div class="halves">
        <Declare changed={costs.reload} />
        <TypeInvoice
          key={corrected?.invoice_id ?? ''}
          corrected={corrected}
          changed={() => {
            setCorrected(undefined)
            costs.reload()
          }}
        />
      </div>
    </Page>
  )
}

function DeclaredCosts({ declared, changed }: Pick<Costs, 'declared'> & { changed: () => void }) {
  const withdraw = async ({ action, starts_at }: Costs['declared'][number]) => {
    const [service = '', name = ''] = action.split('/')
    await tollway.request('DELETE /api/v1/admin/costs/{service}/{action}', {
      path: { service, action: name },
      query: { starts_at },
    })
    changed()
  }
  return (
    <section class="stack">
      <h2>Declared costs</h2>
      <Table
        caption="Declared costs"
        rows={declared}
        idOf={({ action, starts_at }) => `${action} ${starts_at}`}
        empty="No cost is declared."
        columns={[
          { name: 'Action', show: ({ action }) => <code>{action}</code> },
          {
            name: 'For a call',
            isAmount: true,
            show: ({ per_call_usd }) => <Amount usd={per_call_usd} />,
          },
          {
            name: 'For a unit',
            isAmount: true,
            show: ({ per_unit_usd }) => <Amount usd={per_unit_usd} />,
          },
          { name: 'From', show: ({ starts_at }) => <Time at={starts_at} /> },
          {
            name: 'State',
            show: ({ is_in_force }) => is_in_force && <Tag kind="good">in force</Tag>,
          },
          {
            name: 'Remove',
            show: (cost) => (
              <ConfirmButton
                label="Remove"
                of={cost.action}
                confirm="Remove the declared cost"
                question={`The calls of ${cost.action} that it covers have an earlier cost, or none.`}
                work={() => withdraw(cost)}
              />
            ),
          },
        ]}
      />
    </section>
  )
}

const nameOfInvoice = ({ provider, from }: Invoice) => `${provider}, ${showTime(from)}`

function Invoices({
  invoices,
  changed,
  correct,
}: Pick<Costs, 'invoices'> & { changed: () => void; correct: (invoice: Invoice) => void }) {
  return (
    <section class="stack">
      <h2>Invoices</h2>
      <Table
        caption="Invoices"
        rows={invoices}
        idOf={({ invoice_id }) => invoice_id}
        empty="No invoice is typed in."
        columns={[
          { name: 'Provider', show: ({ provider }) => provider },
          { name: 'From', show: ({ from }) => <Time at={from} /> },
          { name: 'Until', show: ({ until }) => <Time at={until} /> },
          { name: 'Amount', isAmount: true, show: ({ amount_usd }) => <Amount usd={amount_usd} /> },
          {
            name: 'Shared by',
            show: ({ calls, shared_by }) =>
              `${calls.toLocaleString()} calls${shared_by === 'units' ? ', by units' : ''}`,
          },
          { name: 'Note', show: ({ note }) => note },
          {
            name: 'Change',
            show: (invoice) => (
              <div class="bar">
                <button
                  type="button"
                  aria-label={nameOf('Correct', nameOfInvoice(invoice))}
                  onClick={() => correct(invoice)}
                >
                  Correct
                </button>
                <ConfirmButton
                  label="Remove"
                  of={nameOfInvoice(invoice)}
                  confirm="Remove the invoice"
                  question="The costs that it told are unknown again."
                  work={async () => {
                    await tollway.request('DELETE /api/v1/admin/invoices/{id}', {
                      path: { id: invoice.invoice_id },
                    })
                    changed()
                  }}
                />
              </div>
            ),
          },
        ]}
      />
    </section>
  )
}

function Declare({ changed }: { changed: () => void }) {
  const [action, setAction] = useState('')
  const [perCall, setPerCall] = useState('')
  const [perUnit, setPerUnit] = useState('')
  const [starts, setStarts] = useState('')
  const [done, setDone] = useState('')
  const prices = useLoad('prices', (signal) =>
    tollway.request('GET /api/v1/admin/prices', { signal }),
  )
  const isByUnit = prices.value?.prices.find(({ id }) => id === action)?.override_kind === 'unit'
  const { isBusy, error, start } = useWork(async () => {
    const [service = '', name = ''] = action.split('/')
    await tollway.request('PUT /api/v1/admin/costs/{service}/{action}', {
      path: { service, action: name },
      body: {
        ...(perCall !== '' && { per_call_usd: perCall.trim() }),
        ...(isByUnit && perUnit !== '' && { per_unit_usd: perUnit.trim() }),
        ...(starts !== '' && { starts_at: new Date(starts).toISOString() }),
      },
    })
    setDone(`The cost of ${action} is declared.`)
    changed()
  })
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        setDone('')
        start()
      }}
    >
      <h2>Declare a cost</h2>
      <Shown of={prices}>
        {({ prices: all }) => (
          <ChoiceField
            label="Action"
            value={action}
            change={setAction}
            choices={[['', 'Choose an action'], ...all.map(({ id }) => [id, id] as const)]}
          />
        )}
      </Shown>
      <TextField
        label="Dollars for a call"
        about="At most six places, such as 0.004."
        value={perCall}
        change={setPerCall}
      />
      {isByUnit && <TextField label="Dollars for a unit" value={perUnit} change={setPerUnit} />}
      <TextField
        label="Valid from"
        about="In the time zone of this browser. It may be in the past. Empty: now."
        type="datetime-local"
        value={starts}
        change={setStarts}
      />
      <Problem error={error} />
      <div class="bar start">
        <button type="submit" class="main" disabled={action === ''} aria-disabled={isBusy}>
          Declare the cost
        </button>
        <span role="status">{done}</span>
      </div>
    </form>
  )
}

function TypeInvoice({
  corrected,
  changed,
}: {
  corrected: Invoice | undefined
  changed: () => void
}) {
  const [provider, setProvider] = useState(corrected?.provider ?? '')
  const [from, setFrom] = useState(corrected ? localTime(corrected.from) : '')
  const [until, setUntil] = useState(corrected ? localTime(corrected.until) : '')
  const [amount, setAmount] = useState(corrected?.amount_usd ?? '')
  const [sharedBy, setSharedBy] = useState<Invoice['shared_by']>(corrected?.shared_by ?? 'units')
  const [note, setNote] = useState(corrected?.note ?? '')
  const [done, setDone] = useState('')
  const once = useIdempotencyKey([provider, from, until, amount, sharedBy, note])
  const { isBusy, error, start } = useWork(async () => {
    const body = {
      provider: provider.trim(),
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      amount_usd: amount.trim(),
      shared_by: sharedBy,
      ...(note !== '' && { note }),
    }
    const spread =
      corrected === undefined
        ? await tollway.request('POST /api/v1/admin/invoices', { body, idempotencyKey: once.key })
        : await tollway.request('PUT /api/v1/admin/invoices/{id}', {
            path: { id: corrected.invoice_id },
            body,
            idempotencyKey: once.key,
          })
    once.succeeded()
    setDone(`${spread.calls.toLocaleString()} calls share the amount.`)
    changed()
  })
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        setDone('')
        start()
      }}
    >
      <h2>{corrected === undefined ? 'Type in an invoice' : 'Correct the invoice'}</h2>
      <TextField
        label="Provider"
        about="The first part of the names of its actions."
        value={provider}
        change={setProvider}
        required
      />
      <TextField label="From" type="datetime-local" value={from} change={setFrom} required />
      <TextField
        label="Until"
        about="Not in the future. The end of the period is not included."
        type="datetime-local"
        value={until}
        change={setUntil}
        required
      />
      <TextField
        label="Dollars"
        about="Without what the replies have told: only calls without a reported cost share it."
        value={amount}
        change={setAmount}
        required
      />
      <ChoiceField
        label="Shared by"
        value={sharedBy}
        change={(chosen) => setSharedBy(chosen === 'calls' ? 'calls' : 'units')}
        choices={[
          ['units', 'Units that the calls delivered'],
          ['calls', 'Calls, evenly'],
        ]}
      />
      <TextField label="Note" value={note} change={setNote} />
      <Problem error={error} />
      <div class="bar start">
        <button type="submit" class="main" aria-disabled={isBusy}>
          {corrected === undefined ? 'Spread the invoice' : 'Correct the invoice'}
        </button>
        <span role="status">{done}</span>
      </div>
    </form>
  )
}
