import { showDuration } from '../format/time.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { Json } from '../results/result.tsx'
import { addressOf } from '../router.ts'
import {
  type AuditPage as AuditAnswer,
  ask,
  type OperatedSession,
  type Payments,
  type Verification,
} from './operator.ts'

export function RailsPage(_: PageProps) {
  const payments = useLoad('payments', (signal) => ask<Payments>('GET payments', { signal }))
  const treasury = useLoad('treasury', (signal) => ask<object>('GET treasury', { signal }))
  return (
    <Page title="Rails and refunds">
      <Shown of={payments}>
        {({ rails, open_refunds }) => (
          <>
            <Table
              caption="Rails"
              rows={Object.entries(rails)}
              empty="No rail is set up: wallets cannot pay."
              columns={[
                { name: 'Rail', show: ([name]) => name },
                {
                  name: 'State',
                  show: ([, { on }]) => <Tag kind={on ? 'good' : 'bad'}>{on ? 'on' : 'off'}</Tag>,
                },
                {
                  name: 'Why',
                  show: ([, { reasons = [] }]) => [reasons].flat().map(String).join(' '),
                },
              ]}
            />
            <h2>Refunds on their way</h2>
            <Table
              caption="Refunds on their way"
              rows={open_refunds}
              empty="No refund waits."
              columns={[
                { name: 'Since', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'Rail', show: ({ rail }) => rail },
                { name: 'To', show: ({ payee }) => <code>{payee}</code> },
                {
                  name: 'Amount',
                  isAmount: true,
                  show: ({ amount_usd }) => <Amount usd={amount_usd} />,
                },
                { name: 'Tried', isAmount: true, show: ({ attempts }) => attempts },
                { name: 'Why it waits', show: ({ reason }) => reason },
              ]}
            />
          </>
        )}
      </Shown>
      <h2>Books against chains</h2>
      <Shown of={treasury}>{(report) => <Json value={report} />}</Shown>
    </Page>
  )
}

const sessionsPerPage = 50

export function AllSessionsPage(_: PageProps) {
  const pages = usePages('sessions')
  const sessions = useLoad(`${pages.cursor}`, (signal) =>
    ask<{ sessions: OperatedSession[]; next_cursor: string | null }>('GET sessions', {
      query: { cursor: pages.cursor, limit: sessionsPerPage },
      signal,
    }),
  )
  return (
    <Page title="Sessions">
      <Shown of={sessions}>
        {({ sessions: rows, next_cursor }) => (
          <>
            <Table
              caption="Sessions"
              rows={rows}
              empty="No session was opened yet."
              columns={[
                { name: 'Opened', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'Action', show: ({ action }) => action },
                {
                  name: 'Account',
                  show: ({ account_id }) => (
                    <a href={addressOf(`/operator/accounts/${account_id}`)}>{account_id}</a>
                  ),
                },
                { name: 'Status', show: ({ status }) => <Tag>{status}</Tag> },
                {
                  name: 'Age',
                  isAmount: true,
                  show: ({ age_seconds }) => showDuration(age_seconds * 1_000),
                },
                { name: 'Cost', isAmount: true, show: ({ cost_usd }) => <Amount usd={cost_usd} /> },
                {
                  name: 'Close',
                  show: ({ session_id: id, status }) =>
                    status !== 'closed' && (
                      <ConfirmButton
                        label="Close"
                        confirm="Close the session"
                        question="The session of this account ends, and what was not saved in it is lost."
                        work={async () => {
                          await ask('DELETE sessions/{id}', { path: { id } })
                          sessions.reload()
                        }}
                      />
                    ),
                },
              ]}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const auditRowsPerPage = 50

export function AuditPage(_: PageProps) {
  const pages = usePages('audit')
  const audit = useLoad(`${pages.cursor}`, (signal) =>
    ask<AuditAnswer>('GET audit', {
      query: { cursor: pages.cursor, limit: auditRowsPerPage },
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
              columns={[
                { name: 'When', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'What', show: ({ action }) => action },
                {
                  name: 'Details',
                  show: ({ audit_id: _, action: __, created_at: ___, ...details }) =>
                    Object.entries(details)
                      .filter(([, value]) => value !== null)
                      .map(
                        ([name, value]) =>
                          `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
                      )
                      .join(' · '),
                },
              ]}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

export function LedgerPage(_: PageProps) {
  const verification = useLoad('verify', (signal) =>
    ask<Verification>('GET ledger/verify', { signal }),
  )
  return (
    <Page
      title="Ledger"
      actions={
        <button type="button" disabled={verification.isLoading} onClick={verification.reload}>
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
            {problems.length > 0 && <Json value={problems} />}
          </>
        )}
      </Shown>
    </Page>
  )
}
