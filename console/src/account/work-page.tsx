import type { Routes } from '@tollway/client'
import { useEffect, useState } from 'preact/hooks'
import { usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { onThisOrigin, sentenceOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { CloseButton, openedColumns, stateColumns } from '../parts/session-columns.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { addressOf } from '../router.ts'

const jobsPerPage = 20
const sessionsPerPage = 20

/** What is running, and what ran lately. */
export function WorkPage(_: PageProps) {
  return (
    <Page title="Jobs and sessions">
      <Jobs />
      <Sessions />
    </Page>
  )
}

/** Jobs are calls that work in the background. Those that run come first. */
function Jobs() {
  const pages = usePages('jobs')
  const jobs = useLoad(`${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/jobs', {
      query: filled({ limit: jobsPerPage, cursor: pages.cursor }),
      signal,
    }),
  )
  return (
    <section class="stack" aria-label="Jobs">
      <div class="bar">
        <h2>Jobs</h2>
        <button type="button" aria-disabled={jobs.isLoading} onClick={jobs.reload}>
          Refresh
        </button>
      </div>
      <Shown of={jobs}>
        {({ jobs: rows, next_cursor }) => (
          <>
            <JobTable rows={rows} ended={jobs.reload} />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </section>
  )
}

type Job = Routes['GET /api/v1/jobs']['answer']['jobs'][number]

function JobTable({ rows, ended }: { rows: readonly Job[]; ended: () => void }) {
  return (
    <Table
      caption="Jobs"
      rows={rows}
      idOf={({ job_id }) => job_id}
      empty="No job was started yet."
      columns={[
        {
          name: 'Began',
          show: ({ job_id, created_at }) => (
            <a href={addressOf(`/transactions/${job_id}`)}>
              <Time at={created_at} />
            </a>
          ),
        },
        { name: 'Action', show: ({ action }) => action },
        {
          name: 'Progress',
          show: ({ job_id: id, state }) =>
            state === 'running' ? <JobProgress key={id} id={id} ended={ended} /> : state,
        },
        { name: 'Held', isAmount: true, show: ({ held_usd }) => <Amount usd={held_usd} /> },
        {
          name: 'Charged',
          isAmount: true,
          show: ({ charged_usd }) => <Amount usd={charged_usd} />,
        },
      ]}
    />
  )
}

/** Follows a running job, and lets it be ended early. */
function JobProgress({ id, ended }: { id: string; ended: () => void }) {
  const [progress, setProgress] = useState<{ phase: string; percent: number }>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const end = () => {
      if (!signal.aborted) ended()
    }
    tollway.job(id).result({ onProgress: setProgress, signal }).then(end, end)
    return () => ending.abort()
  }, [id])
  return (
    <div class="stack">
      <label>
        {progress?.phase ?? 'running'}
        <progress max={100} {...(progress ? { value: progress.percent } : {})} />
      </label>
      <ConfirmButton
        label="Cancel"
        of={id}
        confirm="Cancel the job"
        leave="Let it run"
        question="The job stops. It is charged for what it has delivered, or nothing if it had not begun."
        work={async () => {
          await tollway
            .job(id)
            .cancel()
            .then(ended, (error) => setProblem(sentenceOf(error)))
        }}
      />
      {problem && <span class="problem">{problem}</span>}
    </div>
  )
}

type Session = Awaited<ReturnType<typeof readSessions>>['sessions'][number]

const readSessions = (cursor: string | undefined, signal: AbortSignal) =>
  tollway.request('GET /api/v1/sessions', {
    query: filled({ limit: sessionsPerPage, cursor }),
    signal,
  })

function Sessions() {
  const pages = usePages('sessions')
  const sessions = useLoad(`${pages.cursor}`, (signal) => readSessions(pages.cursor, signal))
  return (
    <section class="stack" aria-label="Sessions">
      <div class="bar">
        <h2>Sessions</h2>
        <button type="button" aria-disabled={sessions.isLoading} onClick={sessions.reload}>
          Refresh
        </button>
      </div>
      <Shown of={sessions}>
        {({ sessions: rows, next_cursor }) => (
          <>
            <SessionTable rows={rows} closed={sessions.reload} />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </section>
  )
}

function SessionTable({ rows, closed }: { rows: readonly Session[]; closed: () => void }) {
  return (
    <Table
      caption="Sessions"
      rows={rows}
      empty="No session was opened yet."
      idOf={({ session_id }) => session_id}
      columns={[
        ...openedColumns,
        ...stateColumns,
        {
          name: 'Close',
          show: (session) => (
            <>
              <CloseButton
                {...{ session, closed }}
                question="The session ends, and what was not saved in it is lost. Its unused time is not charged."
                close={(path) => tollway.request('DELETE /api/v1/sessions/{id}', { path })}
              />{' '}
              {session.status !== 'closed' && session.action === browserAction && (
                <LiveView id={session.session_id} />
              )}
            </>
          ),
        },
      ]}
    />
  )
}

const browserAction = 'ns_browser/create_session'

/** Rented browsers of this gateway tell an address at which they are seen. To ask for it is a call. */
const LiveView = ({ id }: { id: string }) => (
  <WorkButton
    work={async () => {
      const { data } = await tollway.run('ns_browser/session_status', { session_id: id })
      const { liveViewUrl } = data as { liveViewUrl?: unknown }
      if (typeof liveViewUrl !== 'string') throw new Error('This browser cannot be watched.')
      open(onThisOrigin(liveViewUrl), '_blank', 'noopener')
      return undefined
    }}
  >
    Watch
  </WorkButton>
)
