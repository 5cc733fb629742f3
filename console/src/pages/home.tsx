import type { ComponentChildren } from 'preact'
import { type Bar, BarChart } from '../charts/bars.tsx'
import { readUsd, showUsd, sumUsd, writeUsd } from '../format/money.ts'
import { lastDays, showDay } from '../format/time.ts'
import { tollway } from '../gateway.ts'
import { readKeyNames } from '../keys/key-names.ts'
import { useLoad, useWhileRunning } from '../load.ts'
import { Amount } from '../parts/amount.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ExpiringCredit } from '../parts/expiring-credit.tsx'
import { Shown } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import type { PageProps } from './pages.ts'
import { daysShown, readUsage, type UsageRow } from './usage.ts'

export function HomePage({ person }: PageProps) {
  const account = useLoad('account', (signal) => tollway.request('GET /api/v1/account', { signal }))
  const days = useLoad('days', (signal) => readUsage('day', signal))
  useWhileRunning((account.value?.calls_in_flight ?? 0) > 0, () => {
    account.reload()
    days.reload()
  })
  return (
    <Page title="Home">
      <Shown of={account}>
        {({ available_usd, held_usd, expiring_credit }) => (
          <>
            <Numbers>
              <NumberOf label="Available">
                <Amount usd={available_usd} rounds="down" />
              </NumberOf>
              <NumberOf label="Held for running calls and open sessions">
                <a href={addressOf('/work')}>
                  <Amount usd={held_usd} />
                </a>
              </NumberOf>
              {[1, 7, daysShown].map((count) => (
                <NumberOf
                  key={count}
                  label={count === 1 ? 'Spent today' : `Spent in ${count} days`}
                >
                  {days.value ? (
                    <a href={rowsOf({ from: firstDay(count) })}>
                      <Amount usd={spentIn(count, days.value.rows)} />
                    </a>
                  ) : (
                    '…'
                  )}
                </NumberOf>
              ))}
            </Numbers>
            <ExpiringCredit grants={expiring_credit} />
            <AddMoney account={person.account_id ?? ''} />
          </>
        )}
      </Shown>
      <Shown of={days}>
        {({ rows, total }) =>
          total.calls === 0 ? (
            <FirstSteps hasKey={person.key !== null} />
          ) : (
            <>
              <section class="card">
                <BarChart
                  title={`Spending in the last ${daysShown} days`}
                  series={['Spent']}
                  bars={barsOf(rows)}
                  showTick={(dollars) => showUsd(writeUsd(BigInt(Math.round(dollars * 1e6))))}
                />
              </section>
              <Breakdown />
            </>
          )
        }
      </Shown>
    </Page>
  )
}

function AddMoney({ account }: { account: string }) {
  return (
    <details>
      <summary>Add money</summary>
      <p>
        The operator of this gateway adds it, or a wallet{' '}
        <a href="/docs/use/wallets#topping-up-an-account">pays it in</a>. Both need the id of this
        account: <code>{account}</code> <CopyButton text={account} />
      </p>
    </details>
  )
}

/** The first of the last days, as filters write it. */
const firstDay = (count: number) => lastDays(count, new Date())[0] ?? ''

/** The calls that add up to a sum. */
const rowsOf = (filters: Readonly<Record<string, string>>) =>
  addressOf(`/transactions?${new URLSearchParams({ type: 'call', ...filters })}`)

function spentIn(count: number, rows: readonly UsageRow[]): string {
  const days = new Set(lastDays(count, new Date()))
  return sumUsd(rows.filter(({ day = '' }) => days.has(day)).map(({ charged_usd }) => charged_usd))
}

function barsOf(rows: readonly UsageRow[]): Bar[] {
  const charged = new Map(rows.map(({ day, charged_usd }) => [day, charged_usd]))
  return lastDays(daysShown, new Date()).map((day) => {
    const usd = charged.get(day) ?? '0.000000'
    // Only the height of the bar is a floating-point number.
    const dollars = Number(readUsd(usd)) / 1e6
    return { label: showDay(day), values: [dollars], shown: [<Amount key={day} usd={usd} />] }
  })
}

/** What the money went to. */
function Breakdown() {
  const actions = useLoad('actions', (signal) => readUsage('action', signal))
  const keys = useLoad('keys', async (signal) => {
    const [usage, names] = await Promise.all([readUsage('key', signal), readKeyNames(signal)])
    return { usage, names: new Map(names) }
  })
  return (
    <div class="halves">
      <section class="card">
        <h2>By action</h2>
        <Shown of={actions}>
          {({ rows }) => (
            <UsageTable
              caption="Spending by action"
              name="Action"
              rows={rows}
              show={({ action = '' }) =>
                // Language models are not actions of the catalog.
                action.startsWith('llm/') ? (
                  action
                ) : (
                  <a href={addressOf(`/catalog/${action}`)}>{action}</a>
                )
              }
              filtersOf={({ action = '' }) => ({ action })}
            />
          )}
        </Shown>
      </section>
      <section class="card">
        <h2>By key</h2>
        <Shown of={keys}>
          {({ usage, names }) => (
            <UsageTable
              caption="Spending by key"
              name="Key"
              rows={usage.rows}
              show={({ key_id }) => names.get(key_id ?? '') ?? 'An earlier key'}
              filtersOf={({ key_id }) => ({ key: key_id ?? '' })}
            />
          )}
        </Shown>
      </section>
    </div>
  )
}

const rowsShown = 10

function UsageTable({
  caption,
  name,
  rows,
  show,
  filtersOf,
}: {
  caption: string
  name: string
  rows: readonly UsageRow[]
  show: (row: UsageRow) => ComponentChildren
  /** The filters that leave the calls of a row. */
  filtersOf: (row: UsageRow) => Readonly<Record<string, string>>
}) {
  const sorted = rows.toSorted((one, other) =>
    Number(readUsd(other.charged_usd) - readUsd(one.charged_usd)),
  )
  return (
    <Table
      caption={caption}
      rows={sorted.slice(0, rowsShown)}
      columns={[
        { name, show },
        { name: 'Calls', isAmount: true, show: ({ calls }) => calls.toLocaleString() },
        {
          name: 'Failed',
          isAmount: true,
          show: ({ failed_calls }) => failed_calls.toLocaleString(),
        },
        {
          name: 'Spent',
          isAmount: true,
          show: (row) => (
            <a href={rowsOf({ ...filtersOf(row), from: firstDay(daysShown) })}>
              <Amount usd={row.charged_usd} />
            </a>
          ),
        },
      ]}
    />
  )
}

function FirstSteps({ hasKey }: { hasKey: boolean }) {
  const command = `curl ${location.origin}/api/run/tollway/discover \\
  -d '{"query": "papers about batteries"}'`
  return (
    <section class="card">
      <h2>First steps</h2>
      <ol class="stack">
        <li>
          <a href={addressOf('/catalog')}>Find an action</a> that answers your question, and run it
          here. The price stands beside the button before you press it.
        </li>
        <li>
          {hasKey && 'You have a key. '}
          <a href={addressOf('/keys')}>Make a key</a> with limits for each of your programs.
        </li>
        <li>
          Call the gateway from a program. This call is free:
          <pre>{command}</pre>
        </li>
        <li>
          <a href="/docs/use">Read how calls are made</a>.
        </li>
      </ol>
    </section>
  )
}
