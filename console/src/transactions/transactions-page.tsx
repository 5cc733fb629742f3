import { useState } from 'preact/hooks'
import { knownCatalog, nameOf } from '../catalog/catalog.ts'
import { filled } from '../filled.ts'
import { readCents, readUsd, wrongDollars } from '../format/money.ts'
import { tollway } from '../gateway.ts'
import { readKeyNames } from '../keys/key-names.ts'
import { useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { saveAs } from '../parts/save.ts'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { type Filters, noFilters, queryOf } from './filters.ts'

const restMs = 300
const rowsPerPage = 50

type Transactions = Awaited<ReturnType<typeof readPage>>
export type TransactionRow = Transactions['transactions'][number]

const readPage = (filters: Filters, cursor: string | undefined, signal: AbortSignal) =>
  tollway.request('GET /api/v1/transactions', {
    query: {
      ...queryOf(filters),
      ...filled({ cursor, limit: rowsPerPage }),
    },
    signal,
  })

export function TransactionsPage(_: PageProps) {
  const [filters, setFilters] = useState<Filters>(noFilters)
  const rested = useRested(filters, restMs)
  const key = JSON.stringify(rested)
  const pages = usePages(key)
  const loaded = useLoad(`${key} ${pages.cursor}`, (signal) =>
    readPage(rested, pages.cursor, signal),
  )
  return (
    <Page title="Transactions" actions={<CsvButton filters={filters} />}>
      <FilterFields filters={filters} change={setFilters} />
      <Shown of={loaded}>
        {({ transactions, next_cursor }) => (
          <>
            <TransactionTable rows={transactions} />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

/** All rows that fit the filters, in one file. */
function CsvButton({ filters }: { filters: Filters }) {
  const { isBusy, error, start } = useWork(async () => {
    const csv = await tollway.request('GET /api/v1/transactions.csv', { query: queryOf(filters) })
    saveAs('transactions.csv', URL.createObjectURL(csv))
  })
  return (
    <span class="bar">
      <Problem error={error} />
      <button type="button" disabled={isBusy} onClick={start}>
        {isBusy ? 'Preparing …' : 'Save as CSV'}
      </button>
    </span>
  )
}

const statusChoices = [
  ['', 'All'],
  ['running', 'Running'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
] as const

const freeChoices = [
  ['false', 'Left out'],
  ['', 'Shown'],
  ['true', 'Only these'],
] as const

const kindChoices = [
  ['', 'All'],
  ['call', 'Calls'],
  ['topup', 'Top-ups'],
  ['credit', 'Credits'],
  ['debit', 'Debits'],
] as const

function FilterFields({
  filters,
  change,
}: {
  filters: Filters
  change: (filters: Filters) => void
}) {
  const catalog = useLoad('catalog', knownCatalog)
  const keys = useLoad('keys', readKeyNames)
  const set = (part: Partial<Filters>) => change({ ...filters, ...part })
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <ChoiceField
        label="Status"
        value={filters.status}
        change={(status) => set({ status })}
        choices={statusChoices}
      />
      <ChoiceField
        label="Kind"
        value={filters.type}
        change={(type) => set({ type })}
        choices={kindChoices}
      />
      <ChoiceField
        label="Action"
        value={filters.action}
        change={(action) => set({ action })}
        choices={[
          ['', 'All'],
          ...(catalog.value?.actions ?? []).map((each) => [nameOf(each), nameOf(each)] as const),
        ]}
      />
      <TextField label="From" type="date" value={filters.from} change={(from) => set({ from })} />
      <TextField
        label="Until"
        type="date"
        value={filters.until}
        change={(until) => set({ until })}
      />
      <ChoiceField
        label="Key"
        value={filters.key}
        change={(key) => set({ key })}
        choices={[['', 'All'], ...(keys.value ?? [])]}
      />
      <TextField
        label="At least, in $"
        value={filters.least}
        change={(least) => set({ least })}
        problem={problemOf(filters.least)}
      />
      <TextField
        label="At most, in $"
        value={filters.most}
        change={(most) => set({ most })}
        problem={problemOf(filters.most)}
      />
      <ChoiceField
        label="Free calls"
        value={filters.free}
        change={(free) => set({ free })}
        choices={freeChoices}
      />
    </form>
  )
}

const problemOf = (dollars: string) =>
  dollars.trim() === '' || readCents(dollars) !== undefined ? undefined : wrongDollars

function TransactionTable({ rows }: { rows: readonly TransactionRow[] }) {
  return (
    <Table
      caption="Transactions"
      rows={rows}
      empty="No transaction fits."
      columns={[
        {
          name: 'When',
          show: ({ transaction_id, created_at }) => (
            <a href={addressOf(`/transactions/${transaction_id}`)}>
              <Time at={created_at} />
            </a>
          ),
        },
        { name: 'What', show: ({ action, type }) => action ?? type },
        { name: 'Status', show: ({ status }) => <StatusTag status={status} /> },
        { name: 'Balance', isAmount: true, show: ({ amount_usd }) => <Change usd={amount_usd} /> },
      ]}
    />
  )
}

/** What a transaction did to the balance. */
export const Change = ({ usd }: { usd: string }) => (
  <>
    {readUsd(usd) > 0n && '+'}
    <Amount usd={usd} />
  </>
)

const kinds = { running: 'warning', succeeded: 'good', failed: 'bad' } as const

export const StatusTag = ({ status }: { status: keyof typeof kinds }) => (
  <Tag kind={kinds[status]}>{status}</Tag>
)
