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
  return (
    <>
      <h2>Keys of providers</h2>
      <p>
        A key that you paste is tested by one harmless call where there is one, sealed, and never
        shown again. The environment wins over it.
      </p>
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
              { name: 'Key', show: whereFrom },
              {
                name: 'Paste',
                show: ({ provider }) => <PasteKey provider={provider} changed={keys.reload} />,
              },
            ]}
          />
        )}
      </Shown>
    </>
  )
}

export function whereFrom({ source, setting, is_readable }: Keys['provider_keys'][number]): string {
  if (source === 'environment') return `from the environment, ${setting}`
  if (source === 'none') return 'none'
  return is_readable ? 'pasted' : 'pasted, and sealed with another secret'
}

/** What the test has shown of a key that is stored. */
const told = {
  accepted: 'Stored. The provider accepted it.',
  untested: 'Stored without a test.',
} as const

const storeUntested = 'Store it without the test'

export function PasteKey({ provider, changed }: { provider: string; changed: () => void }) {
  const [key, setKey] = useState('')
  const [isUntested, setUntested] = useState(false)
  const [done, setDone] = useState('')
  return (
    <>
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
          setDone('')
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
          setDone(told[tested])
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
      <span role="status">{done}</span>
    </>
  )
}

const notStored: Readonly<Record<string, string>> = {
  refused: `refused this key, so it was not stored. Check it at the provider, or tick “${storeUntested}”.`,
  unclear: `did not say whether this key is good, so it was not stored. Try again when it answers, or tick “${storeUntested}”.`,
}

function whyNotStored(thrown: unknown): string | undefined {
  if (!(thrown instanceof TollwayError)) return undefined
  const { tested } = (thrown.data ?? {}) as { readonly tested?: string }
  return tested === undefined ? undefined : notStored[tested]
}
