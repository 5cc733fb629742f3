// The keys that the gateway has at providers. Those of the APIs that the operator sells come first.
import { TollwayError } from '@tollway/client'
import { useState } from 'preact/hooks'
import { type AnswerOf, tollway } from '../gateway.ts'
import type { Loaded } from '../load.ts'
import { ConfirmButton } from '../parts/confirm.tsx'
import { Field } from '../parts/field.tsx'
import { Shown } from '../parts/notices.tsx'
import { Table } from '../parts/table.tsx'

type Keys = AnswerOf<'GET /api/v1/admin/provider-keys'>

export const loadKeys = (signal: AbortSignal) =>
  tollway.request('GET /api/v1/admin/provider-keys', { signal })

/** `own`: the names of the APIs that the operator sells. */
export function ProviderKeys({ keys, own }: { keys: Loaded<Keys>; own: ReadonlySet<string> }) {
  const [done, setDone] = useState('')
  return (
    <>
      <h2>Keys of providers</h2>
      <p>{aboutKeys} It is sealed, and never shown again. The environment wins over it.</p>
      <Done text={done} />
      <Shown of={keys}>
        {({ provider_keys }) => (
          <Table
            caption="Keys of providers"
            rows={provider_keys.toSorted(
              (one, other) => Number(own.has(other.provider)) - Number(own.has(one.provider)),
            )}
            idOf={({ provider }) => provider}
            empty="No provider takes a key."
            columns={[
              { name: 'Provider', show: ({ provider }) => <code>{provider}</code> },
              { name: 'Title', show: ({ title }) => title },
              {
                name: 'Key',
                show: (key) => <KeyOf shown={key} done={setDone} changed={keys.reload} />,
              },
            ]}
          />
        )}
      </Shown>
    </>
  )
}

type Key = Keys['provider_keys'][number]

export const aboutKeys =
  'A key that you paste is tested by one harmless call. Where a provider has none, it is stored only if you say so.'

/** What was done to a key. Its row may be gone, so it is said above the table. */
export const Done = ({ text }: { text: string }) => (
  <div role="status">{text && <p class="notice good">{text}</p>}</div>
)

function whereFrom({ source, setting, is_readable }: Key): string {
  if (source === 'environment') return `from the environment, ${setting}`
  if (source === 'none') return ''
  return is_readable ? 'pasted' : 'pasted, and sealed with another secret'
}

interface KeyWork {
  readonly done: (text: string) => void
  readonly changed: () => void
}

export function KeyOf({ shown, ...work }: KeyWork & { shown: Key }) {
  const { provider } = shown
  return (
    <>
      {whereFrom(shown)} <PasteKey provider={provider} {...work} />{' '}
      {shown.pasted_at && (
        <ConfirmButton
          label="Remove the key"
          of={provider}
          needs="DELETE /api/v1/admin/provider-keys/{provider}"
          confirm="Remove it"
          question={`Callers of ${provider} will read that it is not available without the key.`}
          work={async () => {
            await tollway.request('DELETE /api/v1/admin/provider-keys/{provider}', {
              path: { provider },
            })
            work.done(`The key of ${provider} is removed.`)
            work.changed()
          }}
        />
      )}
    </>
  )
}

/** What the test has shown of a key that is stored. */
const told = {
  accepted: 'is stored. The provider accepted it.',
  untested: 'is stored without a test.',
} as const

const storeUntested = 'Store it without the test'

function PasteKey({ provider, done, changed }: KeyWork & { provider: string }) {
  const [key, setKey] = useState('')
  const [isUntested, setUntested] = useState(false)
  return (
    <ConfirmButton
      label="Paste a key"
      of={provider}
      isDangerous={false}
      needs="PUT /api/v1/admin/provider-keys/{provider}"
      confirm="Store the key"
      question={`The key of ${provider}`}
      opened={() => {
        setKey('')
        setUntested(false)
        done('')
      }}
      work={async () => {
        const { tested } = await tollway
          .request('PUT /api/v1/admin/provider-keys/{provider}', {
            path: { provider },
            body: { key, test: !isUntested },
          })
          .catch((thrown) => {
            const why = whyNotStored(thrown)
            throw why === undefined ? thrown : new Error(`${provider} ${why}`)
          })
        setKey('')
        done(`The key of ${provider} ${told[tested]}`)
        changed()
      }}
    >
      <Field label="Key">
        {(control) => (
          <input
            {...control}
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={isUntested}
          onInput={({ currentTarget }) => setUntested(currentTarget.checked)}
        />{' '}
        {storeUntested}
      </label>
    </ConfirmButton>
  )
}

const notStored: Readonly<Record<string, string>> = {
  refused: `refused this key, so it was not stored. Check it at the provider, or tick “${storeUntested}”.`,
  unclear: `did not say whether this key is good, so it was not stored. Try again when it answers, or tick “${storeUntested}”.`,
  untested: `has no harmless call that tests a key, so it was not stored. Tick “${storeUntested}” to store it.`,
}

function whyNotStored(thrown: unknown): string | undefined {
  if (!(thrown instanceof TollwayError)) return undefined
  const { tested } = (thrown.data ?? {}) as { readonly tested?: string }
  return tested === undefined ? undefined : notStored[tested]
}
