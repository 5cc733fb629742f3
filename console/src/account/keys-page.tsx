import { useState } from 'preact/hooks'
import { readDollars } from '../format/money.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Key = Awaited<ReturnType<typeof readKeys>>['keys'][number]

const readKeys = (signal: AbortSignal) => tollway.request('GET /api/v1/keys', { signal })

export function KeysPage({ person }: PageProps) {
  const keys = useLoad('keys', readKeys)
  return (
    <Page title="Keys">
      <NewKey made={keys.reload} />
      <Shown of={keys}>
        {({ keys: rows }) => (
          <KeyTable rows={rows} ownId={person.key?.key_id} changed={keys.reload} />
        )}
      </Shown>
    </Page>
  )
}

const limitNames = {
  call: 'Most per call, in $',
  day: 'Most per day, in $',
  month: 'Most per month, in $',
}
const noLimits = { call: '', day: '', month: '' }

/** Makes a key and shows its secret, which only this answer holds. Leaving the page forgets it. */
function NewKey({ made }: { made: () => void }) {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState<Record<keyof typeof noLimits, string>>(noLimits)
  const [actions, setActions] = useState('')
  const [expires, setExpires] = useState('')
  const [secret, setSecret] = useState('')
  const wrong = (Object.keys(noLimits) as (keyof typeof noLimits)[]).filter(
    (each) => limits[each].trim() !== '' && readDollars(limits[each]) === undefined,
  )
  const { isBusy, error, start } = useWork(async () => {
    const allowed = actions.split(/[\s,]+/).filter((each) => each !== '')
    const { api_key } = await tollway.request('POST /api/v1/keys', {
      body: {
        ...(name === '' ? {} : { name }),
        max_cents_per_call: readDollars(limits.call) ?? null,
        max_cents_per_day: readDollars(limits.day) ?? null,
        max_cents_per_month: readDollars(limits.month) ?? null,
        actions: allowed.length === 0 ? null : allowed,
        expires_at: expires === '' ? null : new Date(expires).toISOString(),
      },
    })
    setSecret(api_key)
    setName('')
    setLimits(noLimits)
    made()
  })
  return (
    <section class="card">
      <h2>Make a key</h2>
      {secret !== '' && <Secret secret={secret} forget={() => setSecret('')} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (wrong.length === 0) start()
        }}
      >
        <div class="filters">
          <TextField label="Name" value={name} change={setName} />
          {(Object.keys(limitNames) as (keyof typeof noLimits)[]).map((each) => (
            <TextField
              key={each}
              label={limitNames[each]}
              value={limits[each]}
              change={(text) => setLimits({ ...limits, [each]: text })}
              problem={wrong.includes(each) ? 'Enter dollars, such as 0.50.' : undefined}
            />
          ))}
          <TextField label="Ends" type="datetime-local" value={expires} change={setExpires} />
        </div>
        <TextField
          label="Actions"
          about="Names such as tollway/onescrape or files/*, with spaces between them. Empty: all."
          value={actions}
          change={setActions}
        />
        <Problem error={error} />
        <div>
          <button type="submit" class="main" disabled={isBusy}>
            Make a key
          </button>
        </div>
      </form>
    </section>
  )
}

function Secret({ secret, forget }: { secret: string; forget: () => void }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <div class="notice good stack" role="status">
      <span>This is the key. Keep it now: it is not shown again.</span>
      <code>{secret}</code>
      <span class="bar start">
        <button
          type="button"
          onClick={() => navigator.clipboard.writeText(secret).then(() => setCopied(true))}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={forget}>
          I have kept it
        </button>
      </span>
    </div>
  )
}

function KeyTable({
  rows,
  ownId,
  changed,
}: {
  rows: readonly Key[]
  ownId: string | undefined
  changed: () => void
}) {
  return (
    <Table
      caption="Keys"
      rows={rows}
      columns={[
        {
          name: 'Key',
          show: ({ prefix, name, key_id }) => (
            <>
              {name ?? <span class="quiet">without a name</span>} <code>{prefix}…</code>{' '}
              {key_id === ownId && <Tag>signed in with it</Tag>}
            </>
          ),
        },
        { name: 'Limits', show: (key) => <Limits of={key} /> },
        {
          name: 'Today',
          isAmount: true,
          show: ({ spending }) => <Amount usd={spending.day.spent_usd} />,
        },
        {
          name: 'This month',
          isAmount: true,
          show: ({ spending }) => <Amount usd={spending.month.spent_usd} />,
        },
        { name: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
        {
          name: 'Revoke',
          show: ({ key_id, name, prefix, revoked_at }) =>
            revoked_at ? (
              <Tag kind="bad">revoked</Tag>
            ) : (
              <ConfirmButton
                label="Revoke"
                confirm="Revoke the key"
                question={`Programs that use the key ${name ?? prefix} will be refused at once. This cannot be undone.`}
                work={async () => {
                  await tollway.request('DELETE /api/v1/keys/{id}', { path: { id: key_id } })
                  changed()
                }}
              />
            ),
        },
      ]}
    />
  )
}

function Limits({ of: key }: { of: Key }) {
  const { max_cents_per_call: call, max_cents_per_day: day, max_cents_per_month: month } = key
  const dollars = (cents: number) => (cents / 100).toFixed(2)
  const written = [
    call !== null && `$${dollars(call)} a call`,
    day !== null && `$${dollars(day)} a day`,
    month !== null && `$${dollars(month)} a month`,
    key.actions?.join(', '),
  ].filter((text) => typeof text === 'string')
  return (
    <>
      {written.length === 0 ? <span class="quiet">none</span> : written.join(' · ')}
      {key.expires_at && (
        <>
          {' '}
          until <Time at={key.expires_at} />
        </>
      )}
    </>
  )
}
