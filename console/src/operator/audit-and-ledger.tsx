import { usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Shown } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

const auditRowsPerPage = 50

export function AuditPage(_: PageProps) {
  const pages = usePages()
  const audit = useLoad(`${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/admin/audit', {
      query: filled({ cursor: pages.cursor, limit: auditRowsPerPage }),
      signal,
    }),
  )
  return (
    <Page title="Audit log">
      <p>Every change by the operator, recorded together with the change. It cannot be altered.</p>
      <Shown of={audit}>
        {({ actions, next_cursor }) => (
          <>
            <Table
              caption="Changes by the operator"
              rows={actions}
              empty="The operator has changed nothing yet."
              columns={[
                { name: 'When', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'What', show: ({ action }) => action },
                { name: 'To', show: ({ subject }) => <code>{subject}</code> },
                {
                  name: 'Details',
                  show: ({ details }) =>
                    Object.entries(details)
                      .map(([name, value]) => `${name} ${writeValue(value)}`)
                      .join(' · '),
                },
                { name: 'By', show: ({ actor }) => actorNames[actor] },
                { name: 'From', show: ({ address }) => address },
                { name: 'Request', show: ({ request_id }) => <code>{request_id}</code> },
              ]}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const actorNames = { token: 'ADMIN_TOKEN', 'sign-in': 'a signed-in browser' } as const

const writeValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function LedgerPage(_: PageProps) {
  const verification = useLoad('verify', (signal) =>
    tollway.request('GET /api/v1/admin/ledger/verify', { signal }),
  )
  return (
    <Page
      title="Ledger"
      actions={
        <button type="button" aria-disabled={verification.isLoading} onClick={verification.reload}>
          Verify again
        </button>
      }
    >
      <Shown of={verification}>
        {({ ok, accounts, postings, problems }) => (
          <>
            <p class={ok ? 'notice good' : 'notice bad'} role="status">
              {ok
                ? 'Every balance is the sum of its postings.'
                : 'The books have problems. They are listed below.'}
            </p>
            <Numbers>
              <NumberOf label="Accounts">{accounts.toLocaleString()}</NumberOf>
              <NumberOf label="Postings">{postings.toLocaleString()}</NumberOf>
              <NumberOf label="Problems">{problems.length}</NumberOf>
            </Numbers>
            <Table
              caption="Problems"
              rows={problems}
              empty="No rule is broken."
              columns={[
                { name: 'Rule', show: ({ rule }) => rule },
                { name: 'Of', show: ({ subject }) => <code>{subject}</code> },
                { name: 'Found', show: ({ found }) => found },
                { name: 'Expected', show: ({ expected }) => expected },
              ]}
            />
          </>
        )}
      </Shown>
    </Page>
  )
}
