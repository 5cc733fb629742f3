import { useState } from 'preact/hooks'
import { filled } from '../filled.ts'
import { readDollars, wrongDollars } from '../format/money.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { addressOf } from '../router.ts'
import { type Key, keyColumns } from './key-columns.tsx'

const keysPerPage = 50

export function KeysPage({ person }: PageProps) {
  const pages = usePages('keys')
  const keys = useLoad(`${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/keys', {
      query: filled({ cursor: pages.cursor, limit: keysPerPage }),
      signal,
    }),
  )
  return (
    <Page title="Keys">
      <NewKey made={keys.reload} />
      <Shown of={keys}>
        {({ keys: rows, next_cursor }) => (
          <>
            <KeyTable rows={rows} ownId={person.key?.key_id} changed={keys.reload} />
            <Pager pages={pages} next={next_cursor} />
          </>
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
              problem={wrong.includes(each) ? wrongDollars : undefined}
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
  return (
    <div class="notice good stack" role="status">
      <span>This is the key. Keep it now: it is not shown again.</span>
      <code>{secret}</code>
      <span class="bar start">
        <CopyButton text={secret} />
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
          show: ({ prefix, name, key_id, client_id }) => (
            <>
              {name ?? <span class="quiet">without a name</span>} <code>{prefix}…</code>{' '}
              {key_id === ownId && <Tag>signed in with it</Tag>}
              {client_id !== null && <a href={addressOf('/apps')}>connected app</a>}
            </>
          ),
        },
        ...keyColumns,
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
