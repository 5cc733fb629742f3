import { useState } from 'preact/hooks'
import { ConfirmButton } from '../parts/confirm.tsx'
import type { Key } from './key-columns.tsx'
import type { KeyOwner } from './key-owner.ts'

/** Asks whether the keys and apps that the key let in end too. */
export function RevokeKey({
  of: key,
  owner,
  changed,
}: {
  of: Key
  owner: KeyOwner
  changed: () => void
}) {
  const [descendants, setDescendants] = useState(false)
  return (
    <ConfirmButton
      label="Revoke"
      needs={owner.needs?.revoke}
      of={key.name ?? key.prefix}
      confirm="Revoke the key"
      question={`Programs that use the key ${key.name ?? key.prefix} will be refused at once, and what it opened ends. This cannot be undone.`}
      opened={() => setDescendants(false)}
      work={async () => {
        await owner.revoke(key.key_id, { descendants })
        changed()
      }}
    >
      <label class="check">
        <input
          type="checkbox"
          checked={descendants}
          onInput={({ currentTarget }) => setDescendants(currentTarget.checked)}
        />{' '}
        Also revoke the keys and apps that it let in
      </label>
    </ConfirmButton>
  )
}
