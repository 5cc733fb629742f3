import { type Bar, BarChart } from '../charts/bars.tsx'
import { readUsd, showUsd, writeUsd } from '../format/money.ts'
import { lastDays, showDay, showDuration } from '../format/time.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { CsvButton } from '../parts/csv-button.tsx'
import { Foreign, visible } from '../parts/foreign.tsx'
import { isCostUnknown, KnownCost, Margin } from '../parts/margin.tsx'
import { Shown } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pair } from '../parts/pair.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import {
  daysShown,
  type Revenue,
  type RevenueRow,
  readRevenue,
  rowsOf,
  shownDays,
} from './calls-of-days.ts'
import { FailedActions } from './failed-actions.tsx'
import { FirstSteps } from './first-steps.tsx'
import { SalesBelowCost } from './sales-below-cost.tsx'

const saveRevenue = () =>
  tollway.request('GET /api/v1/admin/revenue.csv', { query: { by: 'day,action', ...shownDays() } })

export function OverviewPage(_: PageProps) {
  const days = useLoad('day', (signal) => readRevenue('day', signal))
  return (
    <Page title="Overview" actions={<CsvButton name="revenue.csv" save={saveRevenue} />}>
      <FirstSteps />
      <SalesBelowCost />
      <Shown of={days}>
        {({ rows, total }) => (
          <>
            <Totals total={total} />
            {whatCounts}
            <section class="card">
              <BarChart
                title={`Income in the last ${daysShown} days`}
                series={['Income beyond known cost', 'Known cost']}
                bars={barsOf(rows)}
                showTick={(dollars) => showUsd(writeUsd(BigInt(Math.round(dollars * 1e6))))}
              />
            </section>
          </>
        )}
      </Shown>
      <FailedActions />
      <ActionTable />
      <div class="halves">
        <ErrorTable />
        <Unavailable />
      </div>
    </Page>
  )
}

function Totals({ total }: Pick<Revenue, 'total'>) {
  const margins = useLoad('margins', (signal) =>
    tollway.request('GET /api/v1/admin/margins', {
      query: { by: 'action', ...shownDays() },
      signal,
    }),
  )
  const failedPercent = total.calls === 0 ? 0 : (100 * total.failed_calls) / total.calls
  return (
    <Numbers>
      <NumberOf label={`Income in ${daysShown} days`}>
        <a href={rowsOf({})}>
          <Amount usd={total.charged_usd} />
        </a>
      </NumberOf>
      <NumberOf label="Known cost">
        <a href={rowsOf({ free: '' })}>
          <KnownCost {...total} />
        </a>
      </NumberOf>
      <NumberOf label="Margin">
        <Shown of={margins}>
          {({ total: sums }) => (
            <a href={addressOf('/operator/margins')}>
              {isCostUnknown(sums) ? 'unknown' : <Amount usd={sums.margin_usd} rounds="down" />}
            </a>
          )}
        </Shown>
      </NumberOf>
      <NumberOf label="Calls of unknown cost">
        <a href={addressOf('/operator/margins')}>
          {(total.calls - total.calls_with_known_cost).toLocaleString()}
        </a>
      </NumberOf>
      <NumberOf label="Calls">
        <a href={rowsOf({ free: '' })}>{total.calls.toLocaleString()}</a>
      </NumberOf>
      <NumberOf label="Failed">
        <a href={rowsOf({ free: '', status: 'failed' })}>{failedPercent.toFixed(1)} %</a>
      </NumberOf>
    </Numbers>
  )
}

const whatCounts = (
  <p class="quiet">
    A call is what a caller ran, free calls included, also one that a person ran, stored or opened
    in the console. What the console reads for its own pages is not a call, and is not in these
    figures.
  </p>
)

const dollarsOf = (usd: string) => Math.max(0, Number(readUsd(usd)) / 1e6)

/** What is left and the known cost, one on the other, are the income. A day that lost money shows its cost alone. */
function barsOf(rows: readonly RevenueRow[]): Bar[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return lastDays(daysShown, new Date()).map((day) => {
    const row = byDay.get(day)
    const amounts = [row?.charged_less_known_cost_usd ?? '0', row?.known_cost_usd ?? '0']
    return {
      label: showDay(day),
      values: amounts.map(dollarsOf),
      shown: amounts.map((usd, place) => <Amount key={place} usd={usd} />),
    }
  })
}

function ActionTable() {
  const actions = useLoad('action', (signal) => readRevenue('action', signal))
  const took = (ms: number | undefined) => (ms === undefined ? '' : showDuration(ms))
  return (
    <section class="stack">
      <h2>By action</h2>
      <Shown of={actions}>
        {({ rows }) => (
          <Table
            caption={`Actions in the last ${daysShown} days`}
            rows={rows.toSorted((one, other) => other.calls - one.calls)}
            empty="No call has ended yet."
            columns={[
              { name: 'Action', show: ({ action }) => action },
              {
                name: 'Calls',
                isAmount: true,
                show: ({ action = '', calls }) => (
                  <a href={rowsOf({ action, free: '' })}>{calls.toLocaleString()}</a>
                ),
              },
              {
                name: 'Failed',
                isAmount: true,
                show: ({ action = '', failed_calls }) => (
                  <a href={rowsOf({ action, free: '', status: 'failed' })}>
                    {failed_calls.toLocaleString()}
                  </a>
                ),
              },
              { name: 'p50', isAmount: true, show: ({ p50_ms }) => took(p50_ms) },
              { name: 'p95', isAmount: true, show: ({ p95_ms }) => took(p95_ms) },
              {
                name: 'Income',
                isAmount: true,
                show: ({ action = '', charged_usd }) => (
                  <a href={rowsOf({ action })}>
                    <Amount usd={charged_usd} />
                  </a>
                ),
              },
              {
                name: 'Known cost',
                isAmount: true,
                show: (row) => <KnownCost {...row} />,
              },
              {
                name: 'Less known cost',
                isAmount: true,
                show: (row) => <Margin {...row} />,
              },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}

function ErrorTable() {
  const errors = useLoad('error', (signal) => readRevenue('error', signal))
  return (
    <section class="card">
      <h2>Errors</h2>
      <Shown of={errors}>
        {({ rows }) => (
          <Table
            caption="Failed calls by error"
            rows={rows.filter(({ error }) => error !== null && error !== undefined)}
            empty="No call failed."
            columns={[
              {
                name: 'Error',
                show: ({ error }) => (
                  <a href={`/docs/errors/${error}`}>
                    <code>{error}</code>
                  </a>
                ),
              },
              { name: 'Calls', isAmount: true, show: ({ calls }) => calls.toLocaleString() },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}

function Unavailable() {
  const providers = useLoad('providers', (signal) =>
    tollway.request('GET /api/v1/admin/providers', { signal }),
  )
  return (
    <section class="card">
      <h2>Not available</h2>
      <Shown of={providers}>
        {({ providers: all }) => {
          const missing = all.filter(({ mode }) => mode === 'unavailable')
          return (
            <>
              <p>
                {missing.length} of {all.length} providers are not available.{' '}
                <a href={addressOf('/operator/providers')}>See all providers</a>
              </p>
              {missing.length > 0 && (
                <details>
                  <summary>What is missing</summary>
                  <dl class="pairs">
                    {missing.map(({ service, title, reason }) => (
                      <Pair key={service} name={visible(title)}>
                        <Foreign text={reason} />
                      </Pair>
                    ))}
                  </dl>
                </details>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}
