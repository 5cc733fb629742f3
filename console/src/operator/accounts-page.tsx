import { useState } from 'preact/hooks'
import { filled } from '../filled.ts'
import { readDollars, wrongDollars } from '../format/money.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { keysOfAccount } from '../keys/key-owner.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { NewKey } from '../keys/new-key.tsx'
import { useIdempotencyKey, useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Problem, Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pager, usePages } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { FileQuota } from './file-quota.tsx'

type OperatedAccount = AnswerOf<'GET /api/v1/admin/accounts'>['accounts'][number]
type FrozenFilter = '' | 'true' | 'false'

const restMs = 300
const accountsPerPage = 50

export function AccountsPage(_: PageProps) {
  const [search, setSearch] = useState('')
  const [frozen, setFrozen] = useState<FrozenFilter>('')
  const asked = useRested(JSON.stringify([search.trim(), frozen]), restMs)
  const pages = usePages(asked)
  const accounts = useLoad(`${asked} ${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/admin/accounts', {
      query: filled({
        search: search.trim(),
        frozen,
        cursor: pages.cursor,
        limit: accountsPerPage,
      }),
      signal,
    }),
  )
  return (
    <Page title="Accounts">
      <div class="filters">
        <TextField
          label="Search"
          about="A name, an e-mail address, an id or the beginning of a key."
          type="search"
          value={search}
          change={setSearch}
        />
        <ChoiceField
          label="State"
          value={frozen}
          change={(chosen) => setFrozen(chosen as FrozenFilter)}
          choices={[
            ['', 'All'],
            ['false', 'Active'],
            ['true', 'Frozen'],
          ]}
        />
      </div>
      <Shown of={accounts}>
        {({ accounts: rows, next_cursor }) => (
          <>
            <Table
              caption="Accounts"
              rows={rows}
              empty="No account fits."
              columns={[
                {
                  name: 'Account',
                  show: ({ account_id, name }) => (
                    <a href={addressOf(`/operator/accounts/${account_id}`)}>{name ?? account_id}</a>
                  ),
                },
                { name: 'Owner', show: ({ owner_email }) => owner_email },
                { name: 'State', show: (account) => <State account={account} /> },
                {
                  name: 'Available',
                  isAmount: true,
                  show: ({ available_usd }) => <Amount usd={available_usd} rounds="down" />,
                },
                { name: 'Held', isAmount: true, show: ({ held_usd }) => <Amount usd={held_usd} /> },
                { name: 'Keys', isAmount: true, show: ({ live_keys }) => live_keys },
                { name: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
              ]}
            />
            <Pager pages={pages} next={next_cursor} />
          </>
        )}
      </Shown>
    </Page>
  )
}

const State = ({ account }: { account: OperatedAccount }) =>
  account.frozen_at ? <Tag kind="bad">frozen</Tag> : <Tag kind="good">active</Tag>

export function AccountPage({ parameters: { id = '' } }: PageProps) {
  const owner = keysOfAccount(id)
  const account = useLoad(id, (signal) =>
    tollway.request('GET /api/v1/admin/accounts/{id}', { path: { id }, signal }),
  )
  return (
    <Page
      title={account.value?.name ?? 'Account'}
      actions={account.value && <State account={account.value} />}
    >
      <Shown of={account}>
        {(found) => (
          <>
            <p class="quiet">
              <code>{found.account_id}</code> {found.owner_email}
            </p>
            {found.frozen_at && (
              <p class="notice bad">
                Frozen <Time at={found.frozen_at} />: {found.frozen_reason}
              </p>
            )}
            <Numbers>
              <NumberOf label="Available">
                <Amount usd={found.available_usd} rounds="down" />
              </NumberOf>
              <NumberOf label="Held">
                <Amount usd={found.held_usd} />
              </NumberOf>
              <NumberOf label="Calls in flight">{found.calls_in_flight}</NumberOf>
            </Numbers>
            <div class="halves">
              <ChangeBalance id={id} changed={account.reload} />
              <Freeze account={found} changed={account.reload} />
            </div>
            <FileQuota id={id} />
            <NewKey owner={owner} made={account.reload} />
            <section class="stack">
              <h2>Keys</h2>
              <KeyTable rows={found.keys} owner={owner} changed={account.reload} />
            </section>
          </>
        )}
      </Shown>
    </Page>
  )
}

function ChangeBalance({ id, changed }: { id: string; changed: () => void }) {
  const [kind, setKind] = useState<'credit' | 'debit'>('credit')
  const [dollars, setDollars] = useState('')
  const [reason, setReason] = useState('')
  const [done, setDone] = useState('')
  const cents = readDollars(dollars)
  const isWrong = dollars !== '' && !cents
  const once = useIdempotencyKey([id, kind, cents, reason])
  const { isBusy, error, start } = useWork(async () => {
    if (!cents) return
    setDone('')
    await tollway.request(`POST /api/v1/admin/accounts/{id}/${kind}`, {
      path: { id },
      body: { amount_cents: cents, reason },
      idempotencyKey: once.key,
    })
    once.succeeded()
    setDone(kind === 'credit' ? 'The account was credited.' : 'The account was debited.')
    setDollars('')
    setReason('')
    changed()
  })
  return (
    <section class="card">
      <h2>Change the balance</h2>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <ChoiceField
          label="What"
          value={kind}
          change={(chosen) => setKind(chosen === 'debit' ? 'debit' : 'credit')}
          choices={[
            ['credit', 'Credit: add to it'],
            ['debit', 'Debit: take from it'],
          ]}
        />
        <TextField
          label="Dollars"
          value={dollars}
          change={setDollars}
          problem={isWrong ? wrongDollars : undefined}
          required
        />
        <TextField
          label="Reason"
          about="The account sees it."
          value={reason}
          change={setReason}
          required
        />
        <Problem error={error} />
        <div class="bar start">
          <button type="submit" class="main" disabled={isBusy}>
            {kind === 'credit' ? 'Credit' : 'Debit'}
          </button>
          <span role="status">{done}</span>
        </div>
      </form>
    </section>
  )
}

function Freeze({ account, changed }: { account: OperatedAccount; changed: () => void }) {
  const [reason, setReason] = useState('')
  const path = { id: account.account_id }
  const thaw = useWork(async () => {
    await tollway.request('POST /api/v1/admin/accounts/{id}/unfreeze', { path })
    changed()
  })
  return (
    <section class="card">
      <h2>Freeze</h2>
      <p>A frozen account makes no calls. Running calls end, and its money stays.</p>
      {account.frozen_at ? (
        <div>
          <button type="button" disabled={thaw.isBusy} onClick={thaw.start}>
            Unfreeze
          </button>
          <Problem error={thaw.error} />
        </div>
      ) : (
        <div>
          <ConfirmButton
            label="Freeze"
            confirm="Freeze the account"
            question="All calls of this account will be refused at once."
            work={async () => {
              await tollway.request('POST /api/v1/admin/accounts/{id}/freeze', {
                path,
                body: { reason },
              })
              changed()
            }}
          >
            <TextField label="Reason" value={reason} change={setReason} required />
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}
