import { useState } from 'preact/hooks'
import { showDuration } from '../format/time.ts'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Pair } from '../parts/pair.tsx'
import { Time } from '../parts/time.tsx'
import { Result } from '../results/result.tsx'
import { addressOf } from '../router.ts'
import { Change, StatusTag } from './transactions-page.tsx'

/** A transaction in full. */
type WholeTransaction = AnswerOf<'GET /api/v1/transactions/{id}'>
type TransactionEvent = WholeTransaction['timeline'][number]

export function TransactionPage({ parameters: { id = '' } }: PageProps) {
  const loaded = useLoad(id, (signal) =>
    tollway.request('GET /api/v1/transactions/{id}', { path: { id }, signal }),
  )
  return (
    <Page
      title="Transaction"
      actions={
        <button type="button" onClick={loaded.reload} disabled={loaded.isLoading}>
          Refresh
        </button>
      }
    >
      <Shown of={loaded}>{(transaction) => <Whole transaction={transaction} />}</Shown>
    </Page>
  )
}

function Whole({ transaction }: { transaction: WholeTransaction }) {
  const { timeline, output } = transaction
  return (
    <>
      <div class="halves">
        <Receipt transaction={transaction} />
        {timeline.length > 0 && (
          <section class="card">
            <h2>Timeline</h2>
            <ol class="timeline">
              {timeline.map((event, index) => (
                <Event key={index} event={event} />
              ))}
            </ol>
          </section>
        )}
      </div>
      {output !== null && output !== undefined && <Output data={output} />}
    </>
  )
}

function Receipt({ transaction }: { transaction: WholeTransaction }) {
  const { transaction_id, type, action, status, created_at, ended_at, key_id } = transaction
  const { error, message, reason, idempotency_key } = transaction
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
          {action === null ? type : <a href={addressOf(`/catalog/${action}`)}>{action}</a>}
        </Pair>
        <Pair name="Status">
          <StatusTag status={status} />
        </Pair>
        <Pair name="Balance">
          <Change usd={transaction.amount_usd} />
        </Pair>
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
            <code>{key_id}</code>
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
            <code>{error}</code> {message}
          </Pair>
        )}
      </dl>
    </section>
  )
}

const eventNames: Readonly<Record<Exclude<TransactionEvent['event'], 'hop'>, string>> = {
  hold: 'Quoted and held',
  settle: 'Charged',
  void: 'Not charged: the hold was given back',
  refund_due: 'Owed back to the wallet',
  refund: 'Paid back to the wallet',
}

function Event({ event: happened }: { event: TransactionEvent }) {
  const { event, at, amount_usd } = happened
  if (event === 'hop') return <HopEvent hop={happened} />
  return (
    <li class={event === 'void' ? 'bad' : ''}>
      <strong>{eventNames[event]}</strong>{' '}
      {amount_usd && event !== 'void' && <Amount usd={amount_usd} />}
      {at && (
        <div class="quiet">
          <Time at={at} />
        </div>
      )}
      {happened.transaction && <code>{happened.transaction}</code>}
    </li>
  )
}

/** A source that was asked, and how it answered. */
function HopEvent({ hop }: { hop: TransactionEvent }) {
  const { provider, action, ok, latency_ms = 0, skipped } = hop
  return (
    <li class={ok ? '' : 'bad'}>
      <strong>
        Asked {provider} {action}
      </strong>
      <div class="quiet">
        {skipped ?? `${ok ? 'answered' : 'failed'} after ${showDuration(latency_ms)}`}
      </div>
    </li>
  )
}

/** An answer can be long, so it is shown when it is asked for. */
function Output({ data }: { data: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="card">
      <div class="bar">
        <h2>Answer</h2>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the answer' : 'Read the stored answer, free'}
        </button>
      </div>
      {isOpen && <Result data={data} />}
    </section>
  )
}
