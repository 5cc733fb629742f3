import { useState } from 'preact/hooks'
import { ConfirmButton } from '../parts/confirm.tsx'
import type { Key } from './key-columns.tsx'
import type { KeyOwner } from './key-owner.ts'
import { changesOf, problemsOf, textsOfPolicy } from './policy.ts'
import { PolicyFields } from './policy-fields.tsx'

/** A button that opens the limits of a key or of a connected app. */
export function ChangeLimits({
  of: key,
  owner,
  changed,
  isOwn = false,
}: {
  of: Key
  owner: KeyOwner
  changed: () => void
  /** Whether the person is signed in with this key. */
  isOwn?: boolean
}) {
  const before = textsOfPolicy(key)
  const [texts, setTexts] = useState(before)
  return (
    <ConfirmButton
      label="Limits"
      needs={owner.needs?.change}
      of={key.name ?? key.prefix}
      confirm="Change the limits"
      isDangerous={false}
      question={`Limits of ${key.name ?? key.prefix}`}
      opened={() => setTexts(before)}
      work={async () => {
        const [problem] = Object.values(problemsOf(texts))
        if (problem !== undefined) throw new Error(problem)
        await owner.change(key.key_id, changesOf(before, texts))
        changed()
      }}
    >
      {isOwn && (
        <p class="notice warning">
          You are signed in with this key. A key with limits cannot manage keys, this one included.
        </p>
      )}
      <PolicyFields texts={texts} change={setTexts} isNamed={key.client_id === null} />
    </ConfirmButton>
  )
}
