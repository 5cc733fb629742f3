import { showUsd } from '../format/money.ts'
import { showDuration } from '../format/time.ts'
import type { AnswerOf } from '../gateway.ts'
import { Amount } from '../parts/amount.tsx'
import { Time } from '../parts/time.tsx'

export type TransactionEvent = AnswerOf<'GET /api/v1/transactions/{id}'>['timeline'][number]

/** What happened to the money, and who was asked, in order. */
export function Timeline({ events }: { events: readonly TransactionEvent[] }) {
  return (
    <section class="card">
      <h2>Timeline</h2>
      <ol class="timeline">
        {events.map((event, index) => (
          <Event key={index} event={event} />
        ))}
      </ol>
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
  if (event === 'hop') return <Asked asked={happened} />
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

/** A source that was asked, how it answered, and what its part of the call costs. */
function Asked({ asked }: { asked: TransactionEvent }) {
  const { provider, action, ok, charged_cents = 0, latency_ms = 0, skipped } = asked
  return (
    <li class={ok || skipped !== undefined ? '' : 'bad'}>
      <strong>
        {skipped === undefined ? 'Asked' : 'Did not ask'} {provider} for {action}
      </strong>
      <div class="quiet">
        {skipped ?? `${ok ? 'It answered' : 'It failed'} after ${showDuration(latency_ms)}.`}
        {charged_cents > 0 && ` This part costs ${showUsd((charged_cents / 100).toFixed(6))}.`}
      </div>
    </li>
  )
}
