import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import { useIdempotencyKey, useLoad, useWork } from '../load.ts'
import type { PageProps } from '../pages/pages.ts'
import { AccountLink } from '../parts/account-link.tsx'
import { ConfirmButton } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ChoiceField, TextField } from '../parts/field.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Form } from '../parts/form.tsx'
import { Shown, Tag } from '../parts/notices.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { addressOf } from '../router.ts'

type Listed = AnswerOf<'GET /api/v1/admin/operators'>['operators'][number]
type Role = Listed['role']
type Invitation = AnswerOf<'POST /api/v1/admin/operators'>

const roles: readonly (readonly [Role, string])[] = [
  ['viewer', 'Viewer: reads everything'],
  ['support', 'Support: also gives small credits, freezes accounts, revokes keys'],
  ['manager', 'Manager: also changes prices, providers and all else'],
  ['owner', 'Owner: also decides who operates'],
]

const ways = { passkey: 'a passkey', email: 'mail', token: 'a token' } as const

export function OperatorsPage({ person }: PageProps) {
  const operators = useLoad('operators', (signal) =>
    tollway.request('GET /api/v1/admin/operators', { signal }),
  )
  const [invited, setInvited] = useState<Invitation & { name: string }>()
  const isOwner = person.operator_role === 'owner'
  const invite = (invitation: Invitation, name: string) => {
    setInvited({ ...invitation, name })
    operators.reload()
  }
  return (
    <Page title="Operators">
      <p>
        Each person who operates this gateway has an account and a role. What they change is in the{' '}
        <a href={addressOf('/operator/audit')}>audit log</a> under their name. The holder of
        ADMIN_TOKEN may do everything and is not in this list.
      </p>
      {invited && (
        <Invited
          key={invited.sign_in_url}
          of={invited}
          passkeysAt={person.passkeys_at}
          close={() => setInvited(undefined)}
        />
      )}
      <Shown of={operators}>
        {({ operators: rows }) => (
          <Table
            caption="Operators"
            rows={rows}
            idOf={({ account_id }) => account_id}
            empty="Only the holder of ADMIN_TOKEN operates this gateway."
            columns={[
              {
                name: 'Person',
                show: ({ account_id, name }) => <AccountLink id={account_id} name={name} />,
              },
              {
                name: 'Role',
                show: (row) =>
                  isOwner ? <RoleOf operator={row} changed={operators.reload} /> : row.role,
              },
              {
                name: 'Signs in by',
                show: ({ signs_in_by, frozen_at }) => (
                  <>
                    {frozen_at && <Tag kind="bad">frozen</Tag>}{' '}
                    {signs_in_by.map((way) => ways[way]).join(', ') || 'nothing: issue a token'}
                  </>
                ),
              },
              { name: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
              { name: 'Since', show: ({ created_at }) => <Time at={created_at} /> },
              {
                name: 'Changes',
                show: ({ account_id, name }) => (
                  <a
                    href={addressOf(`/operator/audit?operator=${account_id}`)}
                    aria-label={`Changes by ${name}`}
                  >
                    Changes
                  </a>
                ),
              },
              ...(isOwner
                ? [
                    {
                      name: 'Actions',
                      show: (row: Listed) => (
                        <Actions operator={row} invite={invite} changed={operators.reload} />
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Shown>
      {isOwner ? <NewOperator invite={invite} /> : <p>Only an owner changes who operates.</p>}
    </Page>
  )
}

function RoleOf({ operator, changed }: { operator: Listed; changed: () => void }) {
  const { account_id: id, name, role } = operator
  const [wanted, setWanted] = useState<Role>(role)
  const once = useIdempotencyKey([id, role, wanted])
  const change = useWork(async () => {
    await tollway.request('PATCH /api/v1/admin/operators/{id}', {
      path: { id },
      body: { role: wanted },
      idempotencyKey: once.key,
    })
    once.succeeded()
    changed()
    return 'Saved.'
  })
  return (
    <Form of={change} submit="Save" isReady={wanted !== role}>
      <select
        aria-label={`Role of ${name}`}
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value as Role)}
      >
        {roles.map(([each]) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </Form>
  )
}

function Actions({
  operator: { account_id: id, name },
  invite,
  changed,
}: {
  operator: Listed
  invite: (invitation: Invitation, name: string) => void
  changed: () => void
}) {
  const path = { id }
  return (
    <div class="bar start">
      <ConfirmButton
        label="New token"
        of={name}
        question={`Issue a new token and link for ${name}? Their earlier tokens end now. Passkeys and mail stay.`}
        confirm="Issue a new token"
        isDangerous={false}
        work={async () =>
          invite(await tollway.request('POST /api/v1/admin/operators/{id}/tokens', { path }), name)
        }
      />
      <ConfirmButton
        label="Remove"
        of={name}
        question={`Remove ${name} from the operators? Their next request is refused. Their account stays.`}
        confirm="Remove the operator"
        work={async () => {
          await tollway.request('DELETE /api/v1/admin/operators/{id}', { path })
          changed()
        }}
      />
    </div>
  )
}

function Invited({
  of,
  passkeysAt,
  close,
}: {
  of: Invitation & { name: string }
  passkeysAt: string | null
  close: () => void
}) {
  return (
    <div class="notice good stack" role="status">
      <span>
        Send this link to <Foreign text={of.name} />. It signs them in once, within a day.{' '}
        {passkeyAdvice(passkeysAt, of.sign_in_url)}
      </span>
      <code>{of.sign_in_url}</code>
      <CopyButton text={of.sign_in_url} />
      <span>
        In scripts they use this token in place of ADMIN_TOKEN. You will not see either again.
      </span>
      <code>{of.operator_token}</code>
      <span class="bar start">
        <CopyButton text={of.operator_token} />
        <button type="button" onClick={close}>
          I have sent them
        </button>
      </span>
    </div>
  )
}

/** Browsers have passkeys at one address only, which need not be that of the link. */
function passkeyAdvice(passkeysAt: string | null, link: string): string {
  if (passkeysAt === null)
    return 'Later they sign in with the token: browsers have no passkeys here, because this gateway has no address with https and a domain name.'
  return new URL(link).origin === passkeysAt
    ? 'There they add a passkey under “Ways to sign in”.'
    : `Passkeys work at ${passkeysAt} only, and not where the link leads: there they sign in with the token, and add a passkey under “Ways to sign in”.`
}

function NewOperator({ invite }: { invite: (invitation: Invitation, name: string) => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const once = useIdempotencyKey([name, role])
  const add = useWork(async () => {
    const invitation = await tollway.request('POST /api/v1/admin/operators', {
      body: { name, role },
      idempotencyKey: once.key,
    })
    once.succeeded()
    setName('')
    invite(invitation, name)
  })
  return (
    <Form isCard of={add} needs="POST /api/v1/admin/operators" submit="Invite" kind="main">
      <h2>Invite a person</h2>
      <TextField
        label="Name"
        about="It is in the audit log beside what they change."
        value={name}
        change={setName}
        required
      />
      <ChoiceField
        label="Role"
        value={role}
        change={(chosen) => setRole(chosen as Role)}
        choices={roles}
      />
    </Form>
  )
}
