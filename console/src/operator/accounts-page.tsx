import { TollwayError } from '@tollway/client'
import { useState } from 'preact/hooks'
import { useAddressed, usePages } from '../addressed.ts'
import { filled } from '../filled.ts'
import { sayDollars } from '../format/amount-words.ts'
import { readDollars, showUsd, writeUsd, wrongDollars } from '../format/money.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { keysOfAccount } from '../keys/key-owner.ts'
import { KeyTable } from '../keys/key-table.tsx'
import { NewKey, Secret } from '../keys/new-key.tsx'
import { useIdempotencyKey, useLoad, useRested, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { AccountLink } from '../parts/account-link.tsx'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton, QuestionDialog } from '../parts/confirm.tsx'
import { ExpiringCredit } from '../parts/expiring-credit.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { AccountRefusals } from '../parts/role.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { WorkButton } from '../parts/work-button.tsx'
import { addressOf } from '../router.ts'
import { AccountPriceGroup } from './account-price-group.tsx'
import { FileQuota } from './file-quota.tsx'

type OperatedAccount = AnswerOf<'GET /api/v1/admin/accounts'>['accounts'][number]
type FrozenFilter = '' | 'true' | 'false'

const restMs = 300
const accountsPerPage = 50

export function AccountsPage(_: PageProps) {
  const [{ search, frozen }, change] = useAddressed({ search: '', frozen: '' })
  const asked = useRested(JSON.stringify([search.trim(), frozen]), restMs)
  const pages = usePages()
  const accounts = useLoad(`${asked} ${pages.cursor}`, (signal) =>
    tollway.request('GET /api/v1/admin/accounts', {
      query: filled({
        search: search.trim(),
        frozen: frozen as FrozenFilter,
        cursor: pages.cursor,
        limit: accountsPerPage,
      }),
      signal,
    }),
  )
  const [opened, setOpened] = useState<AnswerOf<'POST /api/v1/admin/accounts'>>()
  return (
    <Page
      title="Accounts"
      actions={
        <NewAccount
          opened={(account) => {
            setOpened(account)
            accounts.reload()
          }}
        />
      }
    >
      {opened && (
        <section class="card">
          <p>
            The account is open. Give its owner this key, and{' '}
            <a href={addressOf(`/operator/accounts/${opened.account_id}`)}>give it money</a>.
          </p>
          <Secret secret={opened.api_key} forget={() => setOpened(undefined)} />
        </section>
      )}
      <div class="filters">
        <TextField
          label="Search"
          about="A name, an e-mail address, an id or the beginning of a key."
          type="search"
          value={search}
          change={(typed) => change({ search: typed })}
        />
        <ChoiceField
          label="State"
          value={frozen}
          change={(chosen) => change({ frozen: chosen })}
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
              empty="No accounts match."
              columns={[
                {
                  name: 'Account',
                  show: ({ account_id, name }) => <AccountLink id={account_id} name={name} />,
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

function NewAccount({
  opened,
}: {
  opened: (account: AnswerOf<'POST /api/v1/admin/accounts'>) => void
}) {
  const [name, setName] = useState('')
  const [attempt, setAttempt] = useState(0)
  const once = useIdempotencyKey([name, attempt])
  return (
    <ConfirmButton
      label="New account"
      confirm="Open the account"
      isDangerous={false}
      needs="POST /api/v1/admin/accounts"
      question="A new account, with a key without limits and no money yet."
      opened={() => {
        setName('')
        setAttempt(attempt + 1)
      }}
      work={async () => {
        const account = await tollway.request('POST /api/v1/admin/accounts', {
          body: filled({ name: name.trim() }),
          idempotencyKey: once.key,
        })
        once.succeeded()
        opened(account)
      }}
    >
      <TextField label="Name" about="You find it by this name." value={name} change={setName} />
    </ConfirmButton>
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
      {account.error instanceof TollwayError && account.error.code === 'not_found' && (
        <p>
          If it is a wallet, it pays each call by itself: see{' '}
          <a href={rowsOf(id, { free: '' })}>its transactions</a> and{' '}
          <a href={addressOf(`/operator/accounts/${id}/statements`)}>its statements by month</a>.
        </p>
      )}
      <Shown of={account}>
        {(found) => (
          <AccountRefusals.Provider value={refusalsOf(found)}>
            {found.refusals.access && (
              <p class="notice warning">
                You cannot freeze this account or change its keys. {found.refusals.access}
              </p>
            )}
            <p class="quiet">
              <code>{found.account_id}</code> {found.owner_email}
            </p>
            <p>
              <a href={addressOf(`/operator/accounts/${id}/statements`)}>Statements by month</a>
            </p>
            {found.frozen_at && (
              <p class="notice bad">
                Frozen <Time at={found.frozen_at} />: {found.frozen_reason}
              </p>
            )}
            <Numbers>
              <NumberOf label="Available">
                <a href={rowsOf(id, { free: '' })}>
                  <Amount usd={found.available_usd} rounds="down" />
                </a>
              </NumberOf>
              <NumberOf label="Held">
                <a href={rowsOf(id, { free: '', status: 'running' })}>
                  <Amount usd={found.held_usd} />
                </a>
              </NumberOf>
              <NumberOf label="Calls in flight">{found.calls_in_flight}</NumberOf>
            </Numbers>
            <ExpiringCredit grants={found.expiring_credit} />
            <div class="halves">
              <ChangeBalance account={found} changed={account.reload} />
              <Freeze account={found} changed={account.reload} />
            </div>
            <AccountPriceGroup account={found} changed={account.reload} />
            <FileQuota id={id} />
            <NewKey owner={owner} made={account.reload} />
            <section class="stack">
              <h2>Keys</h2>
              <KeyTable rows={found.keys} owner={owner} changed={account.reload} />
            </section>
          </AccountRefusals.Provider>
        )}
      </Shown>
    </Page>
  )
}

/** The transactions of an account that a figure is the sum of. */
const rowsOf = (account: string, filters: Readonly<Record<string, string>>) =>
  addressOf(`/operator/transactions?${new URLSearchParams({ account, ...filters })}`)

type WholeAccount = AnswerOf<'GET /api/v1/admin/accounts/{id}'>

/** What the server has said in advance that it refuses. */
const refusalsOf = ({ refusals: { access, credit } }: WholeAccount) => ({
  'POST /api/v1/admin/accounts/{id}/credit': credit,
  'POST /api/v1/admin/accounts/{id}/freeze': access,
  'POST /api/v1/admin/accounts/{id}/unfreeze': access,
  'POST /api/v1/admin/accounts/{id}/keys': access,
  'PATCH /api/v1/admin/accounts/{id}/keys/{keyId}': access,
  'DELETE /api/v1/admin/accounts/{id}/keys/{keyId}': access,
})

/** A link may fill it in, and a reload keeps it. */
const noChange = { kind: 'credit', dollars: '', reason: '', expires: '' }

function ChangeBalance({ account, changed }: { account: WholeAccount; changed: () => void }) {
  const { account_id: id, confirm_above_cents: asksAbove } = account
  const [draft, change] = useAddressed(noChange)
  const { dollars, reason, expires } = draft
  const kind = draft.kind === 'debit' ? 'debit' : 'credit'
  const cents = readDollars(dollars)
  const isWrong = dollars !== '' && !cents
  /** Cents, while the person is asked whether they mean them. */
  const [asked, setAsked] = useState<number>()
  const once = useIdempotencyKey([id, kind, cents, reason, expires])
  const work = useWork(async () => {
    if (!cents) return undefined
    await tollway.request(`POST /api/v1/admin/accounts/{id}/${kind}`, {
      path: { id },
      body: {
        amount_cents: cents,
        reason,
        ...(kind === 'credit' && isLarge(cents) && { confirm_cents: cents }),
        ...(kind === 'credit' && expires !== '' && { expires_at: new Date(expires).toISOString() }),
      },
      idempotencyKey: once.key,
    })
    once.succeeded()
    change({ ...noChange, kind })
    changed()
    return kind === 'credit' ? 'The account was credited.' : 'The account was debited.'
  })
  const isLarge = (amount: number) => amount > asksAbove
  return (
    <section class="card">
      <h2>Change the balance</h2>
      {asked !== undefined && (
        <QuestionDialog
          question={`Credit ${showUsd(usdOfCents(asked))}, ${sayDollars(asked)}, to ${account.name ?? id}?`}
          confirm={`Credit ${showUsd(usdOfCents(asked))}`}
          leave="Do not credit"
          work={async () => work.start()}
          closed={() => setAsked(undefined)}
        />
      )}
      <Form
        of={work}
        submit={kind === 'credit' ? 'Credit' : 'Debit'}
        needs={`POST /api/v1/admin/accounts/{id}/${kind}`}
        submitted={() => {
          if (kind === 'credit' && cents && isLarge(cents)) setAsked(cents)
          else work.start()
        }}
        kind="main"
      >
        <ChoiceField
          label="What"
          value={kind}
          change={(chosen) => change({ kind: chosen })}
          choices={[
            ['credit', 'Credit: add to it'],
            ['debit', 'Debit: take from it'],
          ]}
        />
        <TextField
          label="Dollars"
          value={dollars}
          change={(typed) => change({ dollars: typed })}
          problem={isWrong ? wrongDollars : undefined}
          required
        />
        <TextField
          label="Reason"
          about="The account sees it."
          value={reason}
          change={(typed) => change({ reason: typed })}
          required
        />
        {kind === 'credit' && (
          <TextField
            label="Expires"
            about="In the time zone of this browser. What is unspent then is taken back. Empty: it never expires."
            type="datetime-local"
            value={expires}
            change={(at) => change({ expires: at })}
          />
        )}
      </Form>
    </section>
  )
}

const usdOfCents = (cents: number) => writeUsd(BigInt(cents) * 10_000n)

function Freeze({ account, changed }: { account: OperatedAccount; changed: () => void }) {
  const [reason, setReason] = useState('')
  const path = { id: account.account_id }
  return (
    <section class="card">
      <h2>Freeze</h2>
      <p>A frozen account makes no calls. Running calls end, and its money stays.</p>
      {account.frozen_at ? (
        <WorkButton
          needs="POST /api/v1/admin/accounts/{id}/unfreeze"
          work={async () => {
            await tollway.request('POST /api/v1/admin/accounts/{id}/unfreeze', { path })
            changed()
          }}
        >
          Unfreeze
        </WorkButton>
      ) : (
        <div>
          <ConfirmButton
            label="Freeze"
            needs="POST /api/v1/admin/accounts/{id}/freeze"
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
