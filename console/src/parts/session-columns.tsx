// What the lists of an account's sessions and of the sessions of all accounts show alike.
import type { AnswerOf } from '../gateway.ts'
import { Amount } from './amount.tsx'
import { ConfirmButton } from './confirm.tsx'
import { Tag } from './notices.tsx'
import type { OperatorRoute } from './role.tsx'
import type { Column } from './table.tsx'
import { Time } from './time.tsx'

type Session = AnswerOf<'GET /api/v1/sessions'>['sessions'][number]

export const openedColumns: readonly Column<Session>[] = [
  { name: 'Opened', show: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Action', show: ({ action }) => action },
]

export const stateColumns: readonly Column<Session>[] = [
  {
    name: 'Status',
    show: ({ status, close_reason, files_unsaved_since }) => (
      <>
        <Tag kind={status === 'closed' ? undefined : 'good'}>
          {status}
          {close_reason && `: ${close_reason}`}
        </Tag>
        {files_unsaved_since && (
          <Tag kind="bad">
            files not saved since <Time at={files_unsaved_since} />
          </Tag>
        )}
      </>
    ),
  },
  { name: 'Held', isAmount: true, show: ({ held_usd }) => <Amount usd={held_usd} /> },
  { name: 'Cost so far', isAmount: true, show: ({ cost_usd }) => <Amount usd={cost_usd} /> },
  { name: 'Charged', isAmount: true, show: ({ charged_usd }) => <Amount usd={charged_usd} /> },
]

/** Closes a session that is still open. */
export function CloseButton({
  session,
  question,
  close,
  closed,
  needs,
}: {
  session: Pick<Session, 'session_id' | 'status'>
  question: string
  close: (path: { id: string }) => Promise<unknown>
  closed: () => void
  needs?: OperatorRoute
}) {
  if (session.status === 'closed') return null
  return (
    <ConfirmButton
      label="Close"
      needs={needs}
      of={session.session_id}
      confirm="Close the session"
      question={question}
      work={async () => {
        await close({ id: session.session_id })
        closed()
      }}
    />
  )
}
