import { useState } from 'preact/hooks'
import { showBytes } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useWhileRunning, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { ChoiceField, Field } from '../parts/field.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { WorkButton } from '../parts/work-button.tsx'

type Backups = AnswerOf<'GET /api/v1/admin/backups'>
type Run = Backups['last_run']
type StartingRoute = 'POST /api/v1/admin/backups' | 'POST /api/v1/admin/backups/restore-tests'

const read = (signal: AbortSignal) => tollway.request('GET /api/v1/admin/backups', { signal })

export function BackupsPage(_: PageProps) {
  const loaded = useLoad('backups', read)
  const { value } = loaded
  useWhileRunning(runs(value?.last_run) || runs(value?.last_restore_test), loaded.reload)
  return (
    <Page title="Backups">
      <Shown of={loaded}>
        {(backups) =>
          backups.schedule === null ? (
            <External of={backups} />
          ) : (
            <Own of={backups} schedule={backups.schedule} reload={loaded.reload} />
          )
        }
      </Shown>
    </Page>
  )
}

const runs = (run: Run | undefined) => run?.state === 'running'

function External({ of: { last_backup_at: at } }: { of: Backups }) {
  return (
    <>
      <p>
        Your own PostgreSQL keeps the books, so the gateway makes no backups, and cannot see what{' '}
        <code>pg_dump</code> makes. <a href="/docs/operate/backup">The guide</a> shows how to back
        it up.
      </p>
      <p>
        PostgreSQL last archived a part of its log: <Time at={at} />.
      </p>
    </>
  )
}

function Own({
  of: backups,
  schedule,
  reload,
}: {
  of: Backups
  schedule: NonNullable<Backups['schedule']>
  reload: () => void
}) {
  const { last_run: made, last_restore_test: tested, backups: files } = backups
  const isBusy = runs(made) || runs(tested)
  const button = (route: StartingRoute, label: string) => (
    <WorkButton
      needs={route}
      isDisabled={isBusy}
      work={async () => {
        await tollway.request(route)
        reload()
        return undefined
      }}
    >
      {label}
    </WorkButton>
  )
  return (
    <>
      <p>
        A backup is one file with the database and the data folder, made while the gateway runs.
        After each one the gateway proves that it can be restored: it starts the database of the
        file apart from the one in use, checks its books, and removes it again. A backup holds every
        secret of the gateway. Keep a copy on another machine.
      </p>
      <dl class="pairs">
        <dt>Last backup</dt>
        <dd>
          <Outcome of={made} />
        </dd>
        <dt>Last good backup</dt>
        <dd>
          <Good of={backups.last_good_run} last={made} none="The gateway has made none." />
        </dd>
        <dt>Last test of a restore</dt>
        <dd>
          <Outcome of={tested} />
        </dd>
        <dt>Last good test</dt>
        <dd>
          <Good of={backups.last_good_restore_test} last={tested} none="None has succeeded." />
        </dd>
        <dt>Folder</dt>
        <dd>
          <code>
            <Foreign text={backups.folder} />
          </code>
        </dd>
      </dl>
      <div class="bar start">
        {button('POST /api/v1/admin/backups', 'Back up now')}
        {files.length > 0 && button('POST /api/v1/admin/backups/restore-tests', 'Test the newest')}
        <span role="status">{isBusy && (runs(made) ? 'Backing up …' : 'Testing a restore …')}</span>
      </div>
      <Schedule key={JSON.stringify(schedule)} of={schedule} changed={reload} />
      <section class="stack">
        <h2>In the folder</h2>
        <Table
          caption="Backups"
          rows={files}
          empty="The gateway has made no backup yet."
          columns={[
            { name: 'Made', show: ({ made_at }) => <Time at={made_at} /> },
            { name: 'Size', isAmount: true, show: ({ bytes }) => showBytes(bytes) },
            {
              name: 'File',
              show: ({ file }) => (
                <code>
                  <Foreign text={file} />
                </code>
              ),
            },
          ]}
        />
      </section>
    </>
  )
}

/** The newest one that has succeeded, also where later ones have failed. */
const Good = ({ of: run, last, none }: { of: Run; last: Run; none: string }) =>
  !run ? (
    <Tag kind={last?.state === 'failed' ? 'bad' : 'warning'}>{none}</Tag>
  ) : run.started_at === last?.started_at ? (
    <>that one</>
  ) : (
    <Outcome of={run} />
  )

function Outcome({ of: run }: { of: Run }) {
  if (run === null) return <span class="quiet">never</span>
  const { state, started_at: at, asked_by: by, problem, bytes, accounts, postings } = run
  return (
    <>
      <Time at={at} />, {by === 'schedule' ? 'on the schedule' : 'because an operator asked'}.{' '}
      {state === 'running' && <Tag kind="warning">runs</Tag>}
      {state === 'failed' && (
        <>
          <Tag kind="bad">failed</Tag> <Foreign text={problem} />
        </>
      )}
      {state === 'succeeded' && (
        <>
          <Tag kind="good">succeeded</Tag>{' '}
          {accounts !== null &&
            postings !== null &&
            `${accounts.toLocaleString()} balances, with those of the house, and ${postings.toLocaleString()} postings were there, and the books added up. `}
          {bytes !== null && `${showBytes(bytes)}. `}
          <code>
            <Foreign text={run.file} />
          </code>
        </>
      )}
    </>
  )
}

const hours = [
  ['0', 'Only when you ask'],
  ['6', 'Every 6 hours'],
  ['24', 'Every day'],
  ['168', 'Every week'],
] as const

function Schedule({ of, changed }: { of: NonNullable<Backups['schedule']>; changed: () => void }) {
  const [every, setEvery] = useState(String(of.every_hours))
  const [kept, setKept] = useState(String(of.kept))
  const body = { every_hours: Number(every), kept: Number(kept) }
  const once = useIdempotencyKey(body)
  const isWrong = !/^\d{1,3}$/.test(kept) || body.kept < 1 || body.kept > 100
  const save = useWork(async () => {
    await tollway.request('PUT /api/v1/admin/backups/schedule', { body, idempotencyKey: once.key })
    once.succeeded()
    changed()
    return 'Saved.'
  })
  const known = hours.some(([value]) => value === String(of.every_hours))
  return (
    <Form
      isCard
      of={save}
      needs="PUT /api/v1/admin/backups/schedule"
      submit="Save"
      isReady={!isWrong}
    >
      <h2>Schedule</h2>
      <ChoiceField
        label="Back up"
        value={every}
        change={setEvery}
        choices={
          known ? hours : [...hours, [String(of.every_hours), `Every ${of.every_hours} hours`]]
        }
      />
      <Field
        label="Keep the newest"
        about="Older backups in the folder are removed after the next one."
        problem={isWrong ? 'Enter a number from 1 to 100.' : undefined}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={kept}
            onInput={(event) => setKept(event.currentTarget.value)}
          />
        )}
      </Field>
    </Form>
  )
}
