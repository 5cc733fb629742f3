import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { showDuration } from '../format/time.ts'
import { requestUntyped } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { Shown } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { Result } from '../results/result.tsx'
import { addressOf } from '../router.ts'
import { Change, StatusTag, type TransactionRow } from './transactions-page.tsx'

/** A transaction in full. */
export interface WholeTransaction extends TransactionRow {
  readonly idempotency_key?: string | null
  readonly error?: string
  readonly message?: string
  readonly reason?: string
  readonly timeline: readonly TransactionEvent[]
  readonly output: unknown
}

interface TransactionEvent {
  readonly event: string
  readonly at?: string
  readonly amount_usd?: string
  readonly [detail: string]: unknown
}

export function TransactionPage({ parameters: { id = '' } }: PageProps) {
  const loaded = useLoad(id, (signal) =>
    requestUntyped<WholeTransaction>('GET /api/v1/transactions/{id}', { path: { id }, signal }),
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

export function Whole({ transaction }: { transaction: WholeTransaction }) {
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

export const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const eventNames: Readonly<Record<string, string>> = {
  quote: 'Quoted',
  hold: 'Held',
  settle: 'Charged',
  void: 'Not charged: the hold was given back',
  refund: 'Refunded',
  replay: 'The stored answer was read again',
}

function Event({
  event: { event, at, amount_usd, amount_cents: _, ...details },
}: {
  event: TransactionEvent
}) {
  const isHop = event === 'hop'
  const failed = isHop && details.ok === false
  const facts = Object.entries(details).filter(([, value]) => value !== null && value !== undefined)
  return (
    <li class={failed || event === 'void' ? 'bad' : ''}>
      <strong>
        {isHop ? `Asked ${details.provider ?? 'a source'}` : (eventNames[event] ?? event)}
      </strong>{' '}
      {amount_usd && event !== 'void' && <Amount usd={amount_usd} />}
      {at && (
        <div class="quiet">
          <Time at={at} />
        </div>
      )}
      {facts.length > 0 && (
        <div class="quiet">
          {facts
            .filter(([name]) => name !== 'provider')
            .map(
              ([name, value]) =>
                `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
            )
            .join(' · ')}
        </div>
      )}
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
