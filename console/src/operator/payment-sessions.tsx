import { type AnswerOf, tollway } from '../gateway.ts'
import { useLoad } from '../load.ts'
import { Amount } from '../parts/amount.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'

type PaymentSession = AnswerOf<'GET /api/v1/admin/payment-sessions'>['payment_sessions'][number]

/** The deposits of wallets that pay many calls by one. */
export function PaymentSessions() {
  const sessions = useLoad('payment-sessions', (signal) =>
    tollway.request('GET /api/v1/admin/payment-sessions', { signal }),
  )
  return (
    <>
      <h2>Deposits of wallets</h2>
      <Shown of={sessions}>
        {({ payment_sessions: rows }) => (
          <Table
            caption="Deposits of wallets"
            rows={rows}
            idOf={({ payment_session_id }) => payment_session_id}
            empty="No wallet has a deposit."
            columns={columns(sessions.reload)}
          />
        )}
      </Shown>
    </>
  )
}

const columns = (closed: () => void): readonly Column<PaymentSession>[] => [
  { name: 'Last used', show: ({ used_at }) => <Time at={used_at} /> },
  { name: 'Payment method', show: ({ rail }) => rail },
  { name: 'From', show: ({ payer }) => <code>{payer}</code> },
  {
    name: 'Deposit',
    isAmount: true,
    show: ({ deposit_usd }) => <Amount usd={deposit_usd} />,
  },
  { name: 'Vouched', isAmount: true, show: ({ vouched_usd }) => <Amount usd={vouched_usd} /> },
  { name: 'Charged', isAmount: true, show: ({ charged_usd }) => <Amount usd={charged_usd} /> },
  {
    name: 'State',
    show: ({ state, is_closing, reason }) => (
      <>
        <Tag>{is_closing ? 'closing' : state}</Tag> {reason}
      </>
    ),
  },
  { name: 'Closes', show: ({ closes_at }) => closes_at && <Time at={closes_at} /> },
  {
    name: 'Close',
    show: ({ payment_session_id: id, is_closing }) => (
      <ConfirmButton
        label="Close"
        of={id}
        isBusy={is_closing}
        needs="DELETE /api/v1/admin/payment-sessions/{id}"
        confirm="Close the session"
        question="You are paid what its calls have cost, and the rest goes back to the wallet."
        work={async () => {
          await tollway.request('DELETE /api/v1/admin/payment-sessions/{id}', { path: { id } })
          closed()
        }}
      />
    ),
  },
]
