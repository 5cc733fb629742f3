import type { ComponentChildren } from 'preact'
import { useAddressed, usePages } from '../addressed.ts'
import { knownCatalog, nameOf } from '../catalog/catalog.ts'
import { filled } from '../filled.ts'
import { readCents, readUsd, wrongDollars } from '../format/money.ts'
import { showTime } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { readKeyNames } from '../keys/key-names.ts'
import { useLoad, useRested } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { readUsage } from '../pages/usage.ts'
import { accountColumn, NamedAccount } from '../parts/account-link.tsx'
import { Amount } from '../parts/amount.tsx'
import { CsvButton } from '../parts/csv-button.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { costSources } from './cost-sources.ts'
import { type Filters, noFilters, queryOf } from './filters.ts'

const restMs = 300
const rowsPerPage = 50

export type TransactionRow = AnswerOf<'GET /api/v1/transactions'>['transactions'][number]
type Sum = AnswerOf<'GET /api/v1/transactions/sum'>
type AnyTransactionRow = AnswerOf<'GET /api/v1/admin/transactions'>['transactions'][number]

export function TransactionsPage(_: PageProps) {
  const [filters, setFilters] = useAddressed(noFilters)
  return (
    <Statement
      filters={filters}
      change={setFilters}
      readKeys={readKeyNames}
      read={(asked, cursor, signal) =>
        tollway.request('GET /api/v1/transactions', {
          query: { ...queryOf(asked), ...filled({ cursor, limit: rowsPerPage }) },
          signal,
        })
      }
      sum={(asked, signal) =>
        tollway.request('GET /api/v1/transactions/sum', { query: queryOf(asked), signal })
      }
      save={(asked) => tollway.request('GET /api/v1/transactions.csv', { query: queryOf(asked) })}
      columns={columnsOf('/transactions')}
    />
  )
}

/** The transactions of all accounts, or of the one whose id is in the address. */
export function AllTransactionsPage({ query }: PageProps) {
  const [filters, setFilters] = useAddressed(noFilters)
  const account = query.get('account') ?? ''
  /** Without top-ups, as sums of what is sold link to it. */
  const sold = query.get('sold') === 'true' ? ({ sold: 'true' } as const) : {}
  const queryFor = (asked: Filters) => ({
    ...queryOf(asked),
    ...filled({ account_id: account }),
    ...sold,
  })
  const own = columnsOf<AnyTransactionRow>('/operator/transactions')
  return (
    <Statement
      filters={filters}
      change={setFilters}
      about={
        account && (
          <p>
            Only of <NamedAccount id={account} />.{' '}
            <a href={addressOf('/operator/transactions')}>Show those of all accounts</a>
          </p>
        )
      }
      sum={(asked, signal) =>
        tollway.request('GET /api/v1/admin/transactions/sum', { query: queryFor(asked), signal })
      }
      read={(asked, cursor, signal) =>
        tollway.request('GET /api/v1/admin/transactions', {
          query: { ...queryFor(asked), ...filled({ cursor, limit: rowsPerPage }) },
          signal,
        })
      }
      save={(asked) =>
        tollway.request('GET /api/v1/admin/transactions.csv', { query: queryFor(asked) })
      }
      columns={[
        ...own,
        {
          name: 'Known cost',
          isAmount: true,
          show: ({ cost_usd }) => (cost_usd ? <Amount usd={cost_usd} /> : ''),
        },
        {
          name: 'Source of cost',
          show: ({ cost_source }) => cost_source && costSources[cost_source],
        },
        accountColumn,
      ]}
    />
  )
}

interface StatementProps<Row> {
  readonly filters: Filters
  readonly change: (filters: Partial<Filters>) => void
  readonly about?: ComponentChildren
  /** The keys to choose from. Without it, there is no filter by key. */
  readonly readKeys?: typeof readKeyNames | undefined
  readonly read: (
    filters: Filters,
    cursor: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly transactions: readonly Row[]; readonly next_cursor: string | null }>
  readonly sum: (filters: Filters, signal: AbortSignal) => Promise<Sum>
  readonly save: (filters: Filters) => Promise<Blob>
  readonly columns: readonly Column<Row>[]
}

function Statement<Row>(shown: StatementProps<Row>) {
  const { filters, change, about, readKeys, read, sum, save, columns } = shown
  const pages = usePages()
  const asked = useRested(JSON.stringify(filters), restMs)
  const whose = whoseOf(location.search)
  const loaded = useLoad(`${asked} ${pages.cursor} ${whose}`, (signal) =>
    read(JSON.parse(asked), pages.cursor, signal),
  )
  const summed = useLoad(`${asked} ${whose}`, (signal) => sum(JSON.parse(asked), signal))
  return (
    <Page
      title="Transactions"
      actions={<CsvButton name="transactions.csv" save={() => save(filters)} />}
    >
      {about}
      <FilterFields filters={filters} change={change} readKeys={readKeys} />
      <Shown of={summed}>{(found) => <SumOf sum={found} />}</Shown>
      <Shown of={loaded}>
        {({ transactions, next_cursor }) => (
          <>
            <Table
              caption="Transactions"
              rows={transactions}
              empty="No transactions match."
              columns={columns}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

/** What the address says besides the filters. */
const whoseOf = (search: string) => {
  const query = new URLSearchParams(search)
  return `${query.get('account')} ${query.get('sold')}`
}

/** Of all rows that the filters find, on all pages. */
function SumOf({ sum: { transactions: rows, charged_usd, amount_usd } }: { sum: Sum }) {
  if (rows === null || charged_usd === null || amount_usd === null)
    return <p class="quiet">These are too many to add up. Choose a shorter time.</p>
  const hasOthers = readUsd(charged_usd) !== -readUsd(amount_usd)
  return (
    <p role="status">
      {rows.toLocaleString()} {rows === 1 ? 'transaction' : 'transactions'}, charged{' '}
      <strong>
        <Amount usd={charged_usd} />
      </strong>
      {hasOthers && (
        <>
          , change of the balance <Change usd={amount_usd} />
        </>
      )}
    </p>
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
  ['', 'Included'],
  ['true', 'Only these'],
  ['day', 'Only from a daily allowance'],
] as const

/** Of one transaction. */
export const kindNames = {
  call: 'Call',
  topup: 'Top-up',
  credit: 'Credit',
  credit_expired: 'Credit that expired',
  debit: 'Debit',
} as const

const kindChoices = [
  ['', 'All'],
  ['call', 'Calls'],
  ['topup', 'Top-ups'],
  ['credit', 'Credits'],
  ['credit_expired', 'Credit that expired'],
  ['debit', 'Debits'],
] as const

function FilterFields({
  filters,
  change,
  readKeys,
}: Pick<StatementProps<unknown>, 'filters' | 'change' | 'readKeys'>) {
  const offered = useLoad('offered', (signal) => readOffered(readKeys, signal))
  const { actions = [], keys = [] } = offered.value ?? {}
  const any = ['', offered.isLoading ? 'Loading …' : 'All'] as const
  // What a link asks for may be offered no longer.
  const names = new Set([...actions, ...(filters.action === '' ? [] : [filters.action])])
  return (
    <>
      <Problem error={offered.error} retry={offered.reload} />
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField
          label="Status"
          value={filters.status}
          change={(status) => change({ status })}
          choices={statusChoices}
        />
        <ChoiceField
          label="Kind"
          value={filters.type}
          change={(type) => change({ type })}
          choices={kindChoices}
        />
        <ChoiceField
          label="Action"
          value={filters.action}
          change={(action) => change({ action })}
          choices={[any, ...[...names].map((action) => [action, action] as const)]}
        />
        <TextField
          label="From"
          type="date"
          value={filters.from}
          change={(from) => change({ from })}
        />
        <TextField
          label="Until"
          type="date"
          value={filters.until}
          change={(until) => change({ until })}
        />
        {readKeys && (
          <ChoiceField
            label="Key"
            value={filters.key}
            change={(key) => change({ key })}
            choices={[any, ...keys]}
          />
        )}
        <TextField
          label="At least, in $"
          value={filters.least}
          change={(least) => change({ least })}
          problem={problemOf(filters.least)}
        />
        <TextField
          label="At most, in $"
          value={filters.most}
          change={(most) => change({ most })}
          problem={problemOf(filters.most)}
        />
        <ChoiceField
          label="Free calls"
          value={filters.free}
          change={(free) => change({ free })}
          choices={freeChoices}
        />
      </form>
    </>
  )
}

/** The actions and keys to choose from. */
async function readOffered(readKeys: typeof readKeyNames | undefined, signal: AbortSignal) {
  if (readKeys === undefined) {
    // An operator without an account cannot read the catalog.
    const { prices } = await tollway.request('GET /api/v1/admin/prices', { signal })
    return { actions: prices.map(({ id }) => id), keys: [] }
  }
  const [catalog, used, keys] = await Promise.all([
    knownCatalog(),
    readUsage('action', signal),
    readKeys(signal),
  ])
  // Language models are not in the catalog.
  const models = used.rows.map(({ action = '' }) => action).filter((id) => id.startsWith('llm/'))
  return { actions: [...models, ...catalog.actions.map(nameOf)], keys }
}

const problemOf = (dollars: string) =>
  dollars.trim() === '' || readCents(dollars) !== undefined ? undefined : wrongDollars

function columnsOf<Row extends TransactionRow>(path: string): readonly Column<Row>[] {
  return [
    {
      name: 'When',
      show: ({ transaction_id, created_at, action, type }) => (
        <a
          href={addressOf(`${path}/${transaction_id}`)}
          aria-label={`${showTime(created_at)}, ${action ?? kindNames[type]}`}
        >
          <Time at={created_at} />
        </a>
      ),
    },
    {
      name: 'What',
      show: ({ action, type, free, within_free_calls: isOfDay }) => (
        <>
          {action ?? kindNames[type]} {isOfDay && <Tag>free call of the day</Tag>}
          {free && <Tag>price 0</Tag>}
        </>
      ),
    },
    { name: 'Status', show: ({ status }) => <StatusTag status={status} /> },
    { name: 'Change', isAmount: true, show: ({ amount_usd }) => <Change usd={amount_usd} /> },
  ]
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
