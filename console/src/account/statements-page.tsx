// Statements by month: the months of an account, and one of them as it is printed.
import { showExactUsd } from '../format/money.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { NamedAccount } from '../parts/account-link.tsx'
import { Amount, Exactness } from '../parts/amount.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pair } from '../parts/pair.tsx'
import { saveAs } from '../parts/save.ts'
import { Table } from '../parts/table.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { addressOf } from '../router.ts'

type Month = AnswerOf<'GET /api/v1/statements'>['statements'][number]
type ShownMonth = AnswerOf<'GET /api/v1/statements/{month}'>
type FileKind = 'csv' | 'pdf'

/** Whose statements they are: those of the person who is signed in, or of an account that the operator looks at. */
interface StatementSource {
  /** Of the page with the list. */
  readonly path: string
  readonly list: (signal: AbortSignal) => Promise<{ readonly statements: readonly Month[] }>
  readonly read: (month: string, signal: AbortSignal) => Promise<ShownMonth>
  readonly save: (month: string, kind: FileKind) => Promise<Blob>
}

const own: StatementSource = {
  path: '/statements',
  list: (signal) => tollway.request('GET /api/v1/statements', { signal }),
  read: (month, signal) =>
    tollway.request('GET /api/v1/statements/{month}', { path: { month }, signal }),
  save: (month, kind) =>
    tollway.request(`GET /api/v1/statements/{month}.${kind}`, { path: { month } }),
}

const ofAccount = (id: string): StatementSource => ({
  path: `/operator/accounts/${id}/statements`,
  list: (signal) =>
    tollway.request('GET /api/v1/admin/accounts/{id}/statements', { path: { id }, signal }),
  read: (month, signal) =>
    tollway.request('GET /api/v1/admin/accounts/{id}/statements/{month}', {
      path: { id, month },
      signal,
    }),
  save: (month, kind) =>
    tollway.request(`GET /api/v1/admin/accounts/{id}/statements/{month}.${kind}`, {
      path: { id, month },
    }),
})

export const StatementsPage = (_: PageProps) => <Months source={own} />
export const StatementPage = ({ parameters: { month = '' } }: PageProps) => (
  <OneMonth source={own} month={month} />
)
export const AccountStatementsPage = ({ parameters: { id = '' } }: PageProps) => (
  <Months source={ofAccount(id)} account={id} />
)
export const AccountStatementPage = ({ parameters: { id = '', month = '' } }: PageProps) => (
  <OneMonth source={ofAccount(id)} month={month} account={id} />
)

function Months({ source, account }: { source: StatementSource; account?: string }) {
  const months = useLoad(source.path, source.list)
  return (
    <Page title="Statements">
      <p class="quiet">Each month of UTC, in US dollars{account && <Whose id={account} />}.</p>
      <Shown of={months}>
        {({ statements }) => (
          <Exactness.Provider value>
            <Table
              caption="Statements"
              rows={statements}
              idOf={({ month }) => month}
              columns={[
                {
                  name: 'Month',
                  show: ({ month, closed }) => (
                    <>
                      <a href={addressOf(`${source.path}/${month}`)}>{month}</a>{' '}
                      {!closed && <Tag kind="warning">open</Tag>}
                    </>
                  ),
                },
                ...(['opening', 'added', 'taken', 'closing'] as const).map((sum) => ({
                  name: `${sum[0]?.toUpperCase()}${sum.slice(1)}`,
                  isAmount: true,
                  show: (row: Month) => <Amount usd={row[`${sum}_usd` as const]} />,
                })),
                {
                  name: 'Save',
                  show: ({ month }) => <SaveButtons source={source} month={month} />,
                },
              ]}
            />
          </Exactness.Provider>
        )}
      </Shown>
    </Page>
  )
}

const Whose = ({ id }: { id: string }) => (
  <>
    {' of '}
    <NamedAccount id={id} />
  </>
)

function SaveButtons({ source, month }: { source: StatementSource; month: string }) {
  return (
    <span class="bar start">
      <SaveButton kind="pdf" source={source} month={month} />
      <SaveButton kind="csv" source={source} month={month} />
    </span>
  )
}

function SaveButton({
  source,
  month,
  kind,
}: {
  source: StatementSource
  month: string
  kind: FileKind
}) {
  const name = kind.toUpperCase()
  return (
    <WorkButton
      label={`Save ${month} as ${name}`}
      work={async () => {
        const file = await source.save(month, kind)
        saveAs(`statement-${month}.${kind}`, URL.createObjectURL(file))
      }}
    >
      {name}
    </WorkButton>
  )
}

function OneMonth({
  source,
  month,
  account,
}: {
  source: StatementSource
  month: string
  account?: string
}) {
  const statement = useLoad(`${source.path} ${month}`, (signal) => source.read(month, signal))
  return (
    <Page
      title={`Statement ${month}`}
      actions={
        <span class="bar">
          <SaveButtons source={source} month={month} />
          <button type="button" onClick={() => print()}>
            Print
          </button>
        </span>
      }
    >
      <p class="unprinted">
        <a href={addressOf(source.path)}>All months</a>
        {account && <Whose id={account} />}
      </p>
      <Shown of={statement}>{(shown) => <Movements statement={shown} />}</Shown>
    </Page>
  )
}

function Movements({ statement }: { statement: ShownMonth }) {
  const { account_id, name, from, until, closed, opening_usd, closing_usd, movements } = statement
  const last = new Date(Date.parse(until) - 1).toISOString().slice(0, 10)
  const rows = [
    { what: 'Opening balance', count: null, change: null, balance: opening_usd },
    ...movements.map(({ title, action, count, amount_usd }) => ({
      what: action === null ? title : `Calls: ${action}`,
      count,
      change: amount_usd,
      balance: null,
    })),
    { what: 'Closing balance', count: null, change: null, balance: closing_usd },
  ]
  return (
    <>
      <dl class="pairs">
        {name !== null && <Pair name="Name">{name}</Pair>}
        <Pair name="Account">
          <code>{account_id}</code>
        </Pair>
        <Pair name="Time">
          {from.slice(0, 10)} to {last} (UTC)
        </Pair>
        <Pair name="State">
          {closed ? 'Closed: nothing changes it any more.' : 'Open: as of now.'}
        </Pair>
      </dl>
      <Table
        caption={`Statement of ${statement.month} in US dollars`}
        rows={rows}
        columns={[
          {
            name: 'What',
            show: ({ what, balance }) => (balance === null ? what : <strong>{what}</strong>),
          },
          { name: 'Number', isAmount: true, show: ({ count }) => count },
          {
            name: 'Change',
            isAmount: true,
            show: ({ change }) => change !== null && showExactUsd(change),
          },
          {
            name: 'Balance',
            isAmount: true,
            show: ({ balance }) => balance !== null && showExactUsd(balance),
          },
        ]}
      />
    </>
  )
}
