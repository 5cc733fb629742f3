import { useState } from 'preact/hooks'
import { countOf } from '../format/count.ts'
import { localTime, showTime } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'

type Costs = AnswerOf<'GET /api/v1/admin/costs'>
type Invoice = Costs['invoices'][number]

export function CostsPage(_: PageProps) {
  const costs = useLoad('costs', (signal) => tollway.request('GET /api/v1/admin/costs', { signal }))
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
            <Invoices invoices={invoices} changed={costs.reload} />
          </>
        )}
      </Shown>
      <div class="halves">
        <Declare changed={costs.reload} />
        <TypeInvoice changed={costs.reload} />
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
                needs="DELETE /api/v1/admin/costs/{service}/{action}"
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

function Invoices({ invoices, changed }: Pick<Costs, 'invoices'> & { changed: () => void }) {
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
                <CorrectInvoice of={invoice} changed={changed} />
                <ConfirmButton
                  label="Remove"
                  of={nameOfInvoice(invoice)}
                  needs="DELETE /api/v1/admin/invoices/{id}"
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
  const prices = useLoad('prices', (signal) =>
    tollway.request('GET /api/v1/admin/prices', { signal }),
  )
  const isByUnit = prices.value?.prices.find(({ id }) => id === action)?.override_kind === 'unit'
  const declare = useWork(async () => {
    const [service = '', name = ''] = action.split('/')
    await tollway.request('PUT /api/v1/admin/costs/{service}/{action}', {
      path: { service, action: name },
      body: {
        ...(perCall !== '' && { per_call_usd: perCall.trim() }),
        ...(isByUnit && perUnit !== '' && { per_unit_usd: perUnit.trim() }),
        ...(starts !== '' && { starts_at: new Date(starts).toISOString() }),
      },
    })
    changed()
    return `The cost of ${action} is declared.`
  })
  return (
    <Form
      isCard
      of={declare}
      needs="PUT /api/v1/admin/costs/{service}/{action}"
      submit="Declare the cost"
      kind="main"
      isReady={action !== ''}
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
    </Form>
  )
}

interface InvoiceTexts {
  readonly provider: string
  readonly from: string
  readonly until: string
  readonly amount: string
  readonly sharedBy: Invoice['shared_by']
  readonly note: string
}

const noInvoice: InvoiceTexts = {
  provider: '',
  from: '',
  until: '',
  amount: '',
  sharedBy: 'units',
  note: '',
}

const textsOf = ({ provider, from, until, amount_usd, shared_by, note }: Invoice) => ({
  provider,
  from: localTime(from),
  until: localTime(until),
  amount: amount_usd,
  sharedBy: shared_by,
  note: note ?? '',
})

/** The field shows minutes. A time that was not edited stays as exact as it was `before`. */
const timeOf = (text: string, before: string | undefined) =>
  before !== undefined && text === localTime(before) ? before : new Date(text).toISOString()

const bodyOf = (
  { provider, from, until, amount, sharedBy, note }: InvoiceTexts,
  before?: { readonly from: string; readonly until: string },
) => ({
  provider: provider.trim(),
  from: timeOf(from, before?.from),
  until: timeOf(until, before?.until),
  amount_usd: amount.trim(),
  shared_by: sharedBy,
  ...(note !== '' && { note }),
})

function TypeInvoice({ changed }: { changed: () => void }) {
  const [texts, setTexts] = useState(noInvoice)
  const once = useIdempotencyKey(texts)
  const spread = useWork(async () => {
    const { calls } = await tollway.request('POST /api/v1/admin/invoices', {
      body: bodyOf(texts),
      idempotencyKey: once.key,
    })
    once.succeeded()
    setTexts(noInvoice)
    changed()
    return `${countOf(calls, 'call')} share the amount.`
  })
  return (
    <Form
      isCard
      of={spread}
      needs="POST /api/v1/admin/invoices"
      submit="Spread the invoice"
      kind="main"
    >
      <h2>Type in an invoice</h2>
      <InvoiceFields texts={texts} change={setTexts} />
    </Form>
  )
}

function CorrectInvoice({ of: invoice, changed }: { of: Invoice; changed: () => void }) {
  const [texts, setTexts] = useState(noInvoice)
  const once = useIdempotencyKey(texts)
  return (
    <ConfirmButton
      label="Correct"
      of={nameOfInvoice(invoice)}
      needs="PUT /api/v1/admin/invoices/{id}"
      confirm="Correct the invoice"
      isDangerous={false}
      question={`The invoice of ${nameOfInvoice(invoice)}`}
      opened={() => setTexts(textsOf(invoice))}
      work={async () => {
        await tollway.request('PUT /api/v1/admin/invoices/{id}', {
          path: { id: invoice.invoice_id },
          body: bodyOf(texts, invoice),
          idempotencyKey: once.key,
        })
        once.succeeded()
        changed()
      }}
    >
      <InvoiceFields texts={texts} change={setTexts} />
    </ConfirmButton>
  )
}

function InvoiceFields({
  texts,
  change,
}: {
  texts: InvoiceTexts
  change: (texts: InvoiceTexts) => void
}) {
  const set = (part: Partial<InvoiceTexts>) => change({ ...texts, ...part })
  return (
    <>
      <TextField
        label="Provider"
        about="The first part of the names of its actions."
        value={texts.provider}
        change={(provider) => set({ provider })}
        required
      />
      <TextField
        label="From"
        type="datetime-local"
        value={texts.from}
        change={(from) => set({ from })}
        required
      />
      <TextField
        label="Until"
        about="Not in the future. The end of the period is not included."
        type="datetime-local"
        value={texts.until}
        change={(until) => set({ until })}
        required
      />
      <TextField
        label="Dollars"
        about="Without what the replies have told: only calls without a reported cost share it."
        value={texts.amount}
        change={(amount) => set({ amount })}
        required
      />
      <ChoiceField
        label="Shared by"
        value={texts.sharedBy}
        change={(chosen) => set({ sharedBy: chosen === 'calls' ? 'calls' : 'units' })}
        choices={[
          ['units', 'Units that the calls delivered'],
          ['calls', 'Calls, evenly'],
        ]}
      />
      <TextField label="Note" value={texts.note} change={(note) => set({ note })} />
    </>
  )
}
