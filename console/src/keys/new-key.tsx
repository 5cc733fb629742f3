import { useState } from 'preact/hooks'
import { useIdempotencyKey, useWork } from '../load.ts'
import { CopyButton } from '../parts/copy.tsx'
import { Form } from '../parts/form.tsx'
import type { KeyOwner } from './key-owner.ts'
import { noLimits, policyOf, problemsOf } from './policy.ts'
import { PolicyFields } from './policy-fields.tsx'

/** Makes a key and shows its secret, which only this answer holds. Leaving the page forgets it. */
export function NewKey({ owner, made }: { owner: KeyOwner; made: () => void }) {
  const [texts, setTexts] = useState(noLimits)
  const [secret, setSecret] = useState('')
  const once = useIdempotencyKey(texts)
  const make = useWork(async () => {
    setSecret(await owner.create(policyOf(texts), once.key))
    once.succeeded()
    setTexts(noLimits)
    made()
  })
  const isRight = Object.keys(problemsOf(texts)).length === 0
  return (
    <section class="card">
      <h2>Make a key</h2>
      {secret !== '' && <Secret secret={secret} forget={() => setSecret('')} />}
      <Form of={make} submit="Make a key" kind="main" isReady={isRight} needs={owner.needs?.create}>
        <PolicyFields texts={texts} change={setTexts} />
      </Form>
    </section>
  )
}

/** A secret that is shown once. */
export function Secret({ secret, forget }: { secret: string; forget: () => void }) {
  return (
    <div class="notice good stack" role="status">
      <span>This is the key. Copy it now. You will not see it again.</span>
      <code>{secret}</code>
      <span class="bar start">
        <CopyButton text={secret} />
        <button type="button" onClick={forget}>
          I have kept it
        </button>
      </span>
    </div>
  )
}
