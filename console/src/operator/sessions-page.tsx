import { usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { showDuration } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { accountColumn } from '../parts/account-link.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { CloseButton, openedColumns, stateColumns } from '../parts/session-columns.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type Session = AnswerOf<'GET /api/v1/admin/sessions'>['sessions'][number]
type Browser = AnswerOf<'GET /api/v1/admin/browsers'>['browsers'][number]

const sessionsPerPage = 50

export function AllSessionsPage(_: PageProps) {
  return (
    <Page title="Sessions">
      <Sessions />
      <Browsers />
    </Page>
  )
}

function Sessions() {
  const pages = usePages()
  const sessions = useLoad(`${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/admin/sessions', {
      query: filled({ cursor: pages.cursor, limit: sessionsPerPage }),
      signal,
    }),
  )
  return (
    <Shown of={sessions}>
      {({ sessions: rows, next_cursor }) => (
        <>
          <Table
            caption="Sessions"
            rows={rows}
            idOf={({ session_id }) => session_id}
            empty="No session was opened yet."
            columns={sessionColumns(sessions.reload)}
          />
          <Pager pages={pages} next={next_cursor} />
        </>
      )}
    </Shown>
  )
}

const sessionColumns = (closed: () => void): readonly Column<Session>[] => [
  ...openedColumns,
  accountColumn,
  ...stateColumns,
  { name: 'Age', isAmount: true, show: ({ age_seconds }) => showDuration(age_seconds * 1_000) },
  {
    name: 'Close',
    show: (session) => (
      <CloseButton
        {...{ session, closed }}
        question="The session of this account ends, and what was not saved in it is lost."
        needs="DELETE /api/v1/admin/sessions/{id}"
        close={(path) => tollway.request('DELETE /api/v1/admin/sessions/{id}', { path })}
      />
    ),
  },
]

/** Browsers are paid ahead, so they are listed apart. */
function Browsers() {
  const browsers = useLoad('browsers', (signal) =>
    tollway.request('GET /api/v1/admin/browsers', { signal }),
  )
  return (
    <section class="stack">
      <h2>Rented browsers</h2>
      <Shown of={browsers}>
        {({ browsers: rows }) => (
          <Table
            caption="Rented browsers"
            rows={rows}
            idOf={({ session_id }) => session_id}
            empty="No browser is rented."
            columns={browserColumns(browsers.reload)}
          />
        )}
      </Shown>
    </section>
  )
}

const browserColumns = (ended: () => void): readonly Column<Browser>[] => [
  { name: 'Opened', show: ({ started_at }) => <Time at={started_at} /> },
  accountColumn,
  { name: 'Runs', show: ({ place }) => (place === 'here' ? 'on this gateway' : 'at the vendor') },
  { name: 'Paid', isAmount: true, show: ({ paid_minutes }) => `${paid_minutes} min` },
  {
    name: 'Left',
    isAmount: true,
    show: ({ remaining_seconds }) => showDuration(remaining_seconds * 1_000),
  },
  {
    name: 'End',
    show: ({ session_id: id }) => (
      <ConfirmButton
        label="End"
        of={id}
        needs="DELETE /api/v1/admin/browsers/{id}"
        confirm="End the browser"
        question="The browser of this account ends. Its minutes are not refunded."
        work={async () => {
          await tollway.request('DELETE /api/v1/admin/browsers/{id}', { path: { id } })
          ended()
        }}
      />
    ),
  },
]
