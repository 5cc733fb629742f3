import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { ModeTag } from '../catalog/mode-tag.tsx'
import { showDuration } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ChoiceField } from '../parts/field.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Margin } from '../parts/margin.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { type RevenueRow, readRevenue, rowsOf } from './calls-of-days.ts'
import { aboutKeys, Done, KeyOf, loadKeys } from './provider-keys.tsx'
import { reasonOf } from './provider-reasons.ts'

type OperatedProvider = AnswerOf<'GET /api/v1/admin/providers'>['providers'][number]

export function ProvidersPage(_: PageProps) {
  const [mode, setMode] = useAddressedText('mode')
  const [done, setDone] = useState('')
  const providers = useLoad('providers', (signal) =>
    tollway.request('GET /api/v1/admin/providers', { signal }),
  )
  const keys = useLoad('provider-keys', loadKeys)
  const revenue = useLoad('service', (signal) => readRevenue('service', signal))
  const used = new Map(revenue.value?.rows.map((row) => [row.service, row]))
  const keyOf = new Map(keys.value?.provider_keys.map((key) => [key.provider, key]))
  const changed = () => {
    providers.reload()
    keys.reload()
  }
  return (
    <Page title="Providers">
      <p>
        Calls, income and cost are those of the last 30 days. {aboutKeys} It is used without a
        restart, and sells the actions of this provider.{' '}
        <a href="/docs/operate/models">Models for chats</a> need a key in the environment.
      </p>
      <Done text={done} />
      <Problem error={keys.error} retry={keys.reload} />
      <Problem error={revenue.error} retry={revenue.reload} />
      <ChoiceField
        label="Mode"
        value={mode}
        change={setMode}
        choices={[
          ['', 'All'],
          ['live', 'Live'],
          ['keyless', 'Public source'],
          ['embedded', 'Built in'],
          ['unavailable', 'Not available'],
        ]}
      />
      <Shown of={providers}>
        {({ providers: all }) => (
          <Table
            caption="Providers"
            rows={all
              .filter((each) => mode === '' || each.mode === mode)
              .map((each) => ({ ...each, usage: used.get(each.service) }))}
            idOf={({ service }) => service}
            columns={[
              {
                name: 'Provider',
                show: ({ title, service }) => (
                  <>
                    <Foreign text={title} /> <code>{service}</code>
                  </>
                ),
              },
              {
                name: 'State',
                show: (provider) => (
                  <State
                    provider={provider}
                    reason={reasonOf(provider, keys.value?.provider_keys ?? [])}
                  />
                ),
              },
              {
                name: 'Key',
                show: ({ service }) => {
                  const key = keyOf.get(service)
                  return key && <KeyOf shown={key} done={setDone} changed={changed} />
                },
              },
              { name: 'Quota left', show: ({ quota }) => quota && <Quota quota={quota} /> },
              ...usageColumns,
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}

/** What the vendor lets the operator still use. */
function Quota({ quota }: { quota: NonNullable<OperatedProvider['quota']> }) {
  const { remaining, limit, unit = 'credits', renews_at, problem } = quota
  if (problem !== undefined) return <span class="quiet">{problem}</span>
  const show = (amount: number) =>
    unit === 'USD' ? (
      <Amount usd={String(amount)} rounds="down" />
    ) : (
      `${amount.toLocaleString()} credits`
    )
  if (typeof remaining !== 'number') return <>without a limit</>
  return (
    <>
      {show(remaining)}
      {typeof limit === 'number' && <> of {show(limit)}</>}
      {renews_at && (
        <>
          , renewed <Time at={renews_at} />
        </>
      )}
    </>
  )
}

type UsedProvider = OperatedProvider & { readonly usage: RevenueRow | undefined }

/** Empty for providers without calls. */
const usageColumn = (
  name: string,
  show: (usage: RevenueRow, action: string) => ComponentChildren,
): Column<UsedProvider> => ({
  name,
  isAmount: true,
  show: ({ usage, service }) => usage && show(usage, `${service}/*`),
})

const usageColumns = [
  usageColumn('Calls', ({ calls }, action) => (
    <a href={rowsOf({ action, free: '' })}>{calls.toLocaleString()}</a>
  )),
  usageColumn('Failed', ({ failed_calls }, action) => (
    <a href={rowsOf({ action, free: '', status: 'failed' })}>{failed_calls.toLocaleString()}</a>
  )),
  usageColumn('p95', ({ p95_ms }) => p95_ms !== undefined && showDuration(p95_ms)),
  usageColumn('Income', ({ charged_usd }, action) => (
    <a href={rowsOf({ action })}>
      <Amount usd={charged_usd} />
    </a>
  )),
  usageColumn('Known cost', ({ known_cost_usd, calls_with_known_cost }) =>
    calls_with_known_cost === 0 ? 'unknown' : <Amount usd={known_cost_usd} />,
  ),
  usageColumn('Less known cost', (usage) => <Margin {...usage} />),
]

/**
 * How a provider is reached, what is missing, and which of its addresses fail: their calls are refused until a probe
 * succeeds.
 */
const State = ({
  provider: { mode, circuits },
  reason,
}: {
  provider: OperatedProvider
  reason: string | undefined
}) => (
  <>
    <ModeTag mode={mode} /> <Foreign text={reason} />
    {circuits.map(({ origin, state, failures, retry_at }) => (
      <div key={origin}>
        <Tag kind={state === 'open' ? 'bad' : 'warning'}>circuit {state.replace('_', ' ')}</Tag>{' '}
        {origin} after {failures} failures, next try <Time at={retry_at} />
      </div>
    ))}
  </>
)

export function ReadingPage(_: PageProps) {
  const hosts = useLoad('hosts', (signal) =>
    tollway.request('GET /api/v1/admin/reading/hosts', { signal }),
  )
  return (
    <Page title="Reading">
      <p>
        Which ways of reading worked on which hosts lately. The next read of a host begins with what
        worked.
      </p>
      <Shown of={hosts}>
        {({ hosts: read }) => (
          <Table
            caption="Hosts"
            rows={read.flatMap(({ host, rungs }) => rungs.map((rung) => ({ host, ...rung })))}
            empty="No page was read yet."
            columns={[
              { name: 'Host', show: ({ host }) => host },
              { name: 'Method', show: ({ rung }) => rung },
              { name: 'Read', isAmount: true, show: ({ reads }) => reads },
              { name: 'Blocked', isAmount: true, show: ({ blocks }) => blocks },
              { name: 'Last blocked', show: ({ blockedAt }) => <Time at={blockedAt} /> },
            ]}
          />
        )}
      </Shown>
    </Page>
  )
}
