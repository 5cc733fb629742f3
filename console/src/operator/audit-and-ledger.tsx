import { useAddressed, usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { tollway } from '../gateway.ts'
import { useLoad, useRested } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { AccountLink, Named } from '../parts/account-link.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Problem, Shown } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

const auditRowsPerPage = 50

const restMs = 300

export function AuditPage(_: PageProps) {
  const [{ action, subject, operator }, change] = useAddressed({
    action: '',
    subject: '',
    operator: '',
  })
  const asked = useRested(JSON.stringify([action.trim(), subject.trim(), operator]), restMs)
  const pages = usePages()
  const audit = useLoad(`${asked} ${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/admin/audit', {
      query: filled({
        action: action.trim(),
        subject: subject.trim(),
        operator,
        cursor: pages.cursor,
        limit: auditRowsPerPage,
      }),
      signal,
    }),
  )
  const operators = useLoad('operators', (signal) =>
    tollway.request('GET /api/v1/admin/operators', { signal }),
  )
  const people = operators.value?.operators ?? []
  return (
    <Page title="Audit log">
      <p>Every change by an operator, recorded together with the change. It cannot be altered.</p>
      <div class="filters">
        <ChoiceField
          label="By"
          value={operator}
          change={(chosen) => change({ operator: chosen })}
          choices={[
            ['', operators.isLoading ? 'Loading …' : 'Everyone'],
            ...people.map(({ account_id, name }) => [account_id, name] as const),
            ...(operator === '' || people.some(({ account_id }) => account_id === operator)
              ? []
              : [[operator, 'A former operator'] as const]),
          ]}
        />
        <TextField
          label="What"
          about="Such as account.credit."
          type="search"
          value={action}
          change={(typed) => change({ action: typed })}
        />
        <TextField
          label="To"
          about="The id of an account, a key or a call."
          type="search"
          value={subject}
          change={(typed) => change({ subject: typed })}
        />
      </div>
      <Problem error={operators.error} retry={operators.reload} />
      <Shown of={audit}>
        {({ actions, next_cursor }) => (
          <>
            <Table
              caption="Changes by operators"
              rows={actions}
              empty="No changes match."
              columns={[
                { name: 'When', show: ({ created_at }) => <Time at={created_at} /> },
                { name: 'What', show: ({ action }) => action },
                {
                  name: 'To',
                  show: ({ subject, subject_name: name, subject_of: of }) =>
                    subject === null || name === null ? (
                      <code>{subject}</code>
                    ) : of === null ? (
                      <AccountLink id={subject} name={name} />
                    ) : (
                      <>
                        key <Named id={subject} name={name} /> of{' '}
                        <AccountLink id={of.account_id} name={of.name} />
                      </>
                    ),
                },
                {
                  name: 'Details',
                  show: ({ details }) => (
                    <Foreign text={Object.entries(details).map(writeDetail).join(' · ')} />
                  ),
                },
                {
                  name: 'By',
                  show: ({ operator, actor }) =>
                    operator === null ? (
                      actorNames[actor]
                    ) : (
                      <AccountLink id={operator.account_id} name={operator.name} />
                    ),
                },
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

/** The holder of ADMIN_TOKEN has no name. */
const actorNames = { token: 'ADMIN_TOKEN', 'sign-in': 'ADMIN_TOKEN, in a browser' } as const

const cents = /_cents$/

/** Amounts are recorded in cents, and read in dollars. */
function writeDetail([name, value]: [string, unknown]): string {
  if (cents.test(name) && typeof value === 'number')
    return `${name.replace(cents, '')} $${(value / 100).toFixed(2)}`
  return `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

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
              <NumberOf label="Balances, with those of the house">
                {accounts.toLocaleString()}
              </NumberOf>
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
