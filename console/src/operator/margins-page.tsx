import { useAddressed } from '../addressed.ts'
import { filled } from '../filled.ts'
import { dayOf, lastDays, timeZone } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad, useRested } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { AccountLink } from '../parts/account-link.tsx'
import { Amount } from '../parts/amount.tsx'
import { CsvButton } from '../parts/csv-button.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { isCostUnknown, KnownCost } from '../parts/margin.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import { midnight } from '../transactions/filters.ts'
import { SalesBelowCost } from './sales-below-cost.tsx'

type Margins = AnswerOf<'GET /api/v1/admin/margins'>
type Sums = Margins['total']
type MarginRow = Margins['rows'][number]

const restMs = 300
const daysShown = 30

const groupings = [
  ['action', 'Action'],
  ['provider', 'Provider'],
  ['account', 'Account'],
  ['day', 'Day'],
  ['day,action', 'Day and action'],
  ['day,provider', 'Day and provider'],
  ['account,action', 'Account and action'],
] as const

const noChoice = { by: 'action', from: '', until: '', provider: '' }
type Choice = typeof noChoice

/** Days of the reader, both included. */
const daysOf = ({ from, until }: Choice) => ({
  from: from || (lastDays(daysShown, new Date())[0] ?? ''),
  until: until || (lastDays(1, new Date())[0] ?? ''),
})

/** The days of a month of the reader: of this one, or of one before it. */
function monthOf(months: number): Partial<Choice> {
  const now = new Date()
  const day = (month: number, date: number) =>
    dayOf(new Date(now.getFullYear(), now.getMonth() + month, date))
  // This month lasts until today, which is the usual end.
  return { from: day(months, 1), until: months === 0 ? '' : day(months + 1, 0) }
}

function queryOf(choice: Choice) {
  const { from, until } = daysOf(choice)
  return {
    by: choice.by,
    time_zone: timeZone(),
    from: midnight(from, 0),
    until: midnight(until, 1),
    ...filled({ provider: choice.provider.trim() }),
  }
}

export function MarginsPage(_: PageProps) {
  const [choice, change] = useAddressed(noChoice)
  const asked = useRested(JSON.stringify(choice), restMs)
  const margins = useLoad(asked, (signal) =>
    tollway.request('GET /api/v1/admin/margins', { query: queryOf(JSON.parse(asked)), signal }),
  )
  const { from, until } = daysOf(choice)
  const save = () => tollway.request('GET /api/v1/admin/margins.csv', { query: queryOf(choice) })
  return (
    <Page title="Margins" actions={<CsvButton name="margins.csv" save={save} />}>
      <SalesBelowCost />
      <p>
        A margin is what the calls were charged whose cost is known, less this cost. What calls cost
        that no vendor reports is known from <a href={addressOf('/operator/costs')}>costs</a> that
        you declare and invoices that you type in.
      </p>
      <div class="filters">
        <ChoiceField
          label="By"
          value={choice.by}
          change={(by) => change({ by })}
          choices={groupings}
        />
        <TextField label="From" type="date" value={from} change={(day) => change({ from: day })} />
        <TextField
          label="Until"
          type="date"
          value={until}
          change={(day) => change({ until: day })}
        />
        <TextField
          label="Provider"
          type="search"
          value={choice.provider}
          change={(provider) => change({ provider })}
        />
      </div>
      <p class="bar start">
        {([-1, 0] as const).map((months) => (
          <button type="button" key={months} class="plain" onClick={() => change(monthOf(months))}>
            {months === 0 ? 'This month' : 'Last month'}
          </button>
        ))}
      </p>
      <Shown of={margins}>
        {({ rows, total }) => (
          <>
            <Totals total={total} />
            <Table
              caption={`Margins from ${from} until ${until}`}
              rows={rows}
              empty="No call has ended in this time."
              columns={[
                ...groupColumns(choice.by),
                {
                  name: 'Calls',
                  isAmount: true,
                  show: (row) => <a href={rowsOf(row, choice)}>{row.calls.toLocaleString()}</a>,
                },
                {
                  name: 'Charged',
                  isAmount: true,
                  show: ({ charged_usd }) => <Amount usd={charged_usd} />,
                },
                {
                  name: 'Known cost',
                  isAmount: true,
                  show: (row) => <KnownCostOf sums={row} />,
                },
                { name: 'Margin', isAmount: true, show: (row) => <MarginOf sums={row} /> },
                { name: 'Sources of cost', show: sourcesOf },
              ]}
            />
          </>
        )}
      </Shown>
    </Page>
  )
}

function Totals({ total }: { total: Sums }) {
  return (
    <Numbers>
      <NumberOf label="Charged">
        <Amount usd={total.charged_usd} />
      </NumberOf>
      <NumberOf label="Charged where the cost is known">
        <Amount usd={total.charged_with_known_cost_usd} />
      </NumberOf>
      <NumberOf label="Known cost">
        <KnownCostOf sums={total} />
      </NumberOf>
      <NumberOf label="Margin">
        <MarginOf sums={total} />
      </NumberOf>
      <NumberOf label="Calls of unknown cost">
        {total.calls_with_unknown_cost.toLocaleString()}
      </NumberOf>
    </Numbers>
  )
}

const KnownCostOf = ({ sums }: { sums: Sums }) => (
  <KnownCost {...sums} calls_with_known_cost={sums.calls - sums.calls_with_unknown_cost} />
)

function MarginOf({ sums }: { sums: Sums }) {
  if (isCostUnknown(sums)) return <>unknown</>
  return (
    <>
      {sums.is_below_cost && <Tag kind="bad">below cost</Tag>}{' '}
      <Amount usd={sums.margin_usd} rounds="down" />
    </>
  )
}

const sources = [
  ['calls_with_reported_cost', 'replies'],
  ['calls_with_invoiced_cost', 'invoices'],
  ['calls_with_declared_cost', 'declared costs'],
  ['calls_with_unknown_cost', 'unknown'],
] as const

const sourcesOf = (row: Sums) =>
  sources
    .filter(([field]) => row[field] > 0)
    .map(([field, words]) => `${words}: ${row[field].toLocaleString()}`)
    .join(', ')

const groupColumns = (by: string) =>
  by.split(',').map((group) => {
    if (group === 'day') return { name: 'Day', show: ({ day }: MarginRow) => day }
    if (group === 'provider')
      return { name: 'Provider', show: ({ provider }: MarginRow) => provider }
    if (group === 'action')
      return { name: 'Action', show: ({ action }: MarginRow) => <code>{action}</code> }
    return {
      name: 'Account',
      show: ({ account_id: id = '', account_name }: MarginRow) => (
        <AccountLink id={id} name={account_name} />
      ),
    }
  })

/** The calls that a row is the sum of. */
function rowsOf(row: MarginRow, choice: Choice): string {
  const days = row.day === undefined ? daysOf(choice) : { from: row.day, until: row.day }
  const provider = row.provider ?? choice.provider.trim()
  const action = row.action ?? (provider === '' ? '' : `${provider}/*`)
  const filters = { ...days, type: 'call', sold: 'true', free: '', action }
  const account = row.account_id === undefined ? {} : { account: row.account_id }
  return addressOf(`/operator/transactions?${new URLSearchParams({ ...filters, ...account })}`)
}
