import { useAddressedText } from '../addressed.ts'
import { readUsd } from '../format/money.ts'
import { showDuration } from '../format/time.ts'
import { tollway } from '../gateway.ts'
import { readKeyNames } from '../keys/key-names.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { AccountLink, Named } from '../parts/account-link.tsx'
import { ActionLink } from '../parts/action-link.tsx'
import { Amount } from '../parts/amount.tsx'
import { Foreign, visibleJson } from '../parts/foreign.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pair } from '../parts/pair.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Time } from '../parts/time.tsx'
import { Result } from '../results/result.tsx'
import { addressOf } from '../router.ts'
import { type CostSource, costSources } from './cost-sources.ts'
import { Timeline, type TransactionEvent } from './timeline.tsx'
import { Change, kindNames, StatusTag, type TransactionRow } from './transactions-page.tsx'

/** A transaction in full, as its owner or the operator sees it. */
interface Trace extends TransactionRow {
  readonly timeline?: readonly TransactionEvent[] | undefined
  readonly input?: unknown
  readonly output?: unknown
  readonly available_after_usd?: string | undefined
  readonly cost_usd?: string | null | undefined
  readonly cost_source?: CostSource | null | undefined
}

/** Whose it is, by the names that people know. */
interface Names {
  readonly key?: string | undefined
  readonly account?: { readonly id: string; readonly name: string | null | undefined } | undefined
}

async function readOwn(id: string, signal: AbortSignal): Promise<{ trace: Trace; names: Names }> {
  const trace = await tollway.request('GET /api/v1/transactions/{id}', { path: { id }, signal })
  const names = trace.key_id === null ? [] : await readKeyNames(signal).catch(() => [])
  return { trace, names: { key: new Map(names).get(trace.key_id ?? '') } }
}

async function readAny(id: string, signal: AbortSignal): Promise<{ trace: Trace; names: Names }> {
  const found = await tollway.request('GET /api/v1/admin/transactions/{id}', {
    path: { id },
    signal,
  })
  const { account_id, key_id } = found
  // A name is missing rather than the page.
  const account = await tollway
    .request('GET /api/v1/admin/accounts/{id}', { path: { id: account_id }, signal })
    .catch(() => undefined)
  const key = account?.keys.find((each) => each.key_id === key_id)
  return {
    trace: found,
    names: {
      key: key && (key.name ?? key.prefix),
      account: { id: account_id, name: account?.name },
    },
  }
}

export const TransactionPage = (props: PageProps) => <TracePage {...props} read={readOwn} />
export const AnyTransactionPage = (props: PageProps) => <TracePage {...props} read={readAny} />

function TracePage({
  parameters: { id = '' },
  person,
  read,
}: PageProps & { read: typeof readOwn | typeof readAny }) {
  const loaded = useLoad(id, (signal) => read(id, signal))
  return (
    <Page
      title="Transaction"
      actions={
        <button type="button" onClick={loaded.reload} aria-disabled={loaded.isLoading}>
          Refresh
        </button>
      }
    >
      <Shown of={loaded}>
        {({ trace, names }) => {
          const { timeline = [], input, output } = trace
          return (
            <>
              <div class="halves">
                <Receipt transaction={trace} names={names} person={person} />
                {timeline.length > 0 && <Timeline events={timeline} />}
              </div>
              {input !== undefined && (
                <Input input={input} action={names.account ? null : trace.action} />
              )}
              {output !== null && output !== undefined && <Output data={output} />}
            </>
          )
        }}
      </Shown>
    </Page>
  )
}

function Receipt({
  transaction,
  names,
  person,
}: {
  transaction: Trace
  names: Names
  person: PageProps['person']
}) {
  const { transaction_id, type, action, status, created_at, ended_at, key_id } = transaction
  const { error, message, reason, idempotency_key, available_after_usd, cost_usd } = transaction
  const { cost_source: source } = transaction
  return (
    <section class="card">
      <div class="bar">
        <h2>Receipt</h2>
        <button type="button" class="plain" onClick={() => print()}>
          Print
        </button>
      </div>
      <dl class="pairs">
        <Pair name="Id">
          <code>{transaction_id}</code>
        </Pair>
        <Pair name="What">
          {action === null ? kindNames[type] : <ActionLink id={action} person={person} />}
        </Pair>
        {names.account && (
          <Pair name="Account">
            <AccountLink {...names.account} />
          </Pair>
        )}
        <Pair name="Status">
          <StatusTag status={status} />
        </Pair>
        <Pair name="Change of the balance">
          <Change usd={transaction.amount_usd} />
          {transaction.within_free_calls && ' (one of the free calls of the day)'}{' '}
          {names.account && type === 'call' && readUsd(transaction.amount_usd) < 0n && (
            <a href={refundOf(transaction, names.account.id)}>Give the money back</a>
          )}
        </Pair>
        {available_after_usd && (
          <Pair name="Available after it">
            <Amount usd={available_after_usd} rounds="down" />
          </Pair>
        )}
        {cost_usd !== undefined && type === 'call' && (
          <Pair name="Cost at the provider">
            {cost_usd === null ? 'unknown' : <Amount usd={cost_usd} />}
            {source && ` (${costSources[source]})`}
          </Pair>
        )}
        <Pair name="Began">
          <Time at={created_at} />
        </Pair>
        {ended_at && (
          <Pair name="Ended">
            <Time at={ended_at} /> after{' '}
            {showDuration(new Date(ended_at).getTime() - new Date(created_at).getTime())}
          </Pair>
        )}
        {key_id && (
          <Pair name="Key">
            {names.key ? <Named id={key_id} name={names.key} /> : <code>{key_id}</code>}
          </Pair>
        )}
        {idempotency_key && (
          <Pair name="Idempotency key">
            <code>{idempotency_key}</code>
          </Pair>
        )}
        {reason && <Pair name="Reason">{reason}</Pair>}
        {error && (
          <Pair name="Error">
            <a href={`/docs/errors/${error}`}>{error}</a> <Foreign text={message} />
          </Pair>
        )}
      </dl>
    </section>
  )
}

/** The form that credits the account, filled in. Credits are whole cents. */
function refundOf({ transaction_id, amount_usd }: Trace, account: string): string {
  const cents = (-readUsd(amount_usd) + 9_999n) / 10_000n
  const dollars = (Number(cents) / 100).toFixed(2)
  const filled = new URLSearchParams({ dollars, reason: `Refund of ${transaction_id}` })
  return addressOf(`/operator/accounts/${account}?${filled}`)
}

/** What was sent. A cut or hidden part is not sent again: the form shows what is missing. */
function Input({ input, action }: { input: unknown; action: string | null }) {
  const text = visibleJson(input)
  const isWhole = !/ … \(|… \d+ more|\(hidden\)| …"$/.test(text)
  const again = `/catalog/${action}?input=${encodeURIComponent(JSON.stringify(input))}`
  return (
    <section class="card">
      <div class="bar">
        <h2>Input</h2>
        {action !== null && (
          <a class="button" href={addressOf(isWhole ? again : `/catalog/${action}`)}>
            Run again
          </a>
        )}
      </div>
      {!isWhole && <p class="quiet">Long texts are cut, and secrets are hidden.</p>}
      <Scroll label="What was sent">{text}</Scroll>
    </section>
  )
}

/** An answer can be long, so it is shown when it is asked for. */
function Output({ data }: { data: unknown }) {
  const [open, setOpen] = useAddressedText('open')
  const isOpen = open !== ''
  return (
    <section class="card">
      <div class="bar">
        <h2>Answer</h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? '' : 'answer')}
        >
          {isOpen ? 'Hide the answer' : 'Read the stored answer, free'}
        </button>
      </div>
      {isOpen && <Result data={data} />}
    </section>
  )
}
