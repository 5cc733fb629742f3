import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { Amount } from '../parts/amount.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { NumberOf, Numbers, Page } from '../parts/page.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'
import { PaymentSessions } from './payment-sessions.tsx'

type Payments = AnswerOf<'GET /api/v1/admin/payments'>
type Treasury = AnswerOf<'GET /api/v1/admin/treasury'>
type RailReport = Treasury['rails'][string]

export function RailsPage(_: PageProps) {
  return (
    <Page title="Payments and refunds">
      <OnTheWay />
      <PaymentSessions />
      <Books />
    </Page>
  )
}

const amountColumn: Column<{ amount_usd: string }> = {
  name: 'Amount',
  isAmount: true,
  show: ({ amount_usd }) => <Amount usd={amount_usd} />,
}
const railColumn: Column<{ rail: string }> = { name: 'Payment method', show: ({ rail }) => rail }

const railColumns: readonly Column<[string, Payments['rails'][string]]>[] = [
  { name: 'Payment method', show: ([name]) => name },
  {
    name: 'State',
    show: ([, { on }]) => <Tag kind={on ? 'good' : 'bad'}>{on ? 'on' : 'off'}</Tag>,
  },
  { name: 'Why', show: ([, { reasons = [] }]) => reasons.join(' ') },
  { name: 'Gas', show: ([, { gas }]) => gas && <Gas gas={gas} /> },
]

function Gas({ gas }: { gas: NonNullable<Payments['rails'][string]['gas']> }) {
  const { unavailable, transactions_left: left = 0, balance_coin, is_low, advice } = gas
  if (unavailable !== undefined) return <>{unavailable}</>
  return (
    <>
      <Tag kind={is_low ? 'bad' : 'good'}>about {left.toLocaleString()} settlements left</Tag>{' '}
      <span class="quiet">{trimPlaces(balance_coin ?? '')} of the chain's coin</span>
      {advice && <p>{advice}</p>}
    </>
  )
}

const trimPlaces = (amount: string) => amount.replace(/\.?0+$/, '')

/** Says what to do once something has waited for too long. */
const waitColumn: Column<{ reason: string | null; advice: string | null }> = {
  name: 'Why it waits',
  show: ({ reason, advice }) => (
    <>
      {advice && <Tag kind="bad">stuck</Tag>} {reason} {advice}
    </>
  ),
}

const paymentColumns: readonly Column<Payments['open_payments'][number]>[] = [
  { name: 'Since', show: ({ since }) => <Time at={since} /> },
  railColumn,
  { name: 'From', show: ({ payer }) => <code>{payer}</code> },
  amountColumn,
  { name: 'State', show: ({ state }) => <Tag>{state}</Tag> },
  waitColumn,
]

const refundColumns: readonly Column<Payments['open_refunds'][number]>[] = [
  { name: 'Since', show: ({ created_at }) => <Time at={created_at} /> },
  railColumn,
  { name: 'To', show: ({ payee }) => <code>{payee}</code> },
  amountColumn,
  { name: 'Tried', isAmount: true, show: ({ attempts }) => attempts },
  waitColumn,
]

/** The rails, and what is not on a chain yet. */
function OnTheWay() {
  const payments = useLoad('payments', (signal) =>
    tollway.request('GET /api/v1/admin/payments', { signal }),
  )
  return (
    <Shown of={payments}>
      {({ rails, open_payments, open_refunds }) => (
        <>
          <Table
            caption="Payment methods"
            rows={Object.entries(rails)}
            empty="No payment method is set up: wallets cannot pay."
            columns={railColumns}
          />
          <h2>Payments on their way</h2>
          <Table
            caption="Payments on their way"
            rows={open_payments}
            empty="No payment waits."
            columns={paymentColumns}
          />
          <h2>Refunds on their way</h2>
          <Table
            caption="Refunds on their way"
            rows={open_refunds}
            empty="No refund waits."
            columns={refundColumns}
          />
        </>
      )}
    </Shown>
  )
}

function Books() {
  const treasury = useLoad('treasury', (signal) =>
    tollway.request('GET /api/v1/admin/treasury', { signal }),
  )
  return (
    <>
      <h2>Reconciliation with the blockchain</h2>
      <Shown of={treasury}>
        {({ rails, losses }) => (
          <>
            {Object.keys(rails).length === 0 && <p class="quiet">No payment method is on.</p>}
            {Object.entries(rails).map(([rail, report]) => (
              <BooksOfRail key={rail} rail={rail} report={report} />
            ))}
            {losses.length > 0 && (
              <>
                <h2>Payments that were lost</h2>
                <Table caption="Payments that were lost" rows={losses} columns={lossColumns} />
              </>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

const lossColumns: readonly Column<Treasury['losses'][number]>[] = [
  { name: 'When', show: ({ lost_at }) => <Time at={lost_at} /> },
  railColumn,
  { name: 'From', show: ({ payer }) => <code>{payer}</code> },
  amountColumn,
  { name: 'Why', show: ({ reason }) => reason },
]

const differenceColumns: readonly Column<NonNullable<RailReport['differences']>[number]>[] = [
  { name: 'What', show: ({ explanation }) => explanation },
  amountColumn,
  { name: 'On the chain', show: ({ transaction_hash }) => <code>{transaction_hash}</code> },
  {
    name: 'Transaction',
    show: ({ transaction_id: id }) =>
      id && (
        <a href={addressOf(`/operator/transactions/${id}`)}>
          <code>{id}</code>
        </a>
      ),
  },
]

function BooksOfRail({ rail, report }: { rail: string; report: RailReport }) {
  const { agrees, books, chain, differences = [], unavailable } = report
  return (
    <section class="card">
      <div class="bar start">
        <h3>{rail}</h3>
        {agrees !== null && (
          <Tag kind={agrees ? 'good' : 'bad'}>
            {agrees ? 'the books agree with the chain' : 'the books differ from the chain'}
          </Tag>
        )}
      </div>
      {unavailable && <p class="notice warning">{unavailable}</p>}
      <Numbers>
        <NumberOf label="Received">
          <Amount usd={books.received_usd} />
        </NumberOf>
        <NumberOf label="On the way">
          <Amount usd={books.on_the_way_usd} />
        </NumberOf>
        <NumberOf label="Refunded">
          <Amount usd={books.refunded_usd} />
        </NumberOf>
        <NumberOf label="Refunds owed">
          <Amount usd={books.owed_refunds_usd} />
        </NumberOf>
        {chain && (
          <NumberOf label="In the pay-to wallet">
            <Amount usd={chain.pay_to.balance_usd} rounds="down" />
          </NumberOf>
        )}
        {chain?.refund_wallet && (
          <NumberOf label="In the refund wallet">
            <Amount usd={chain.refund_wallet.balance_usd} rounds="down" />
          </NumberOf>
        )}
      </Numbers>
      <Table
        caption={`Differences of ${rail}`}
        rows={differences}
        empty="No difference was found."
        columns={differenceColumns}
      />
    </section>
  )
}
