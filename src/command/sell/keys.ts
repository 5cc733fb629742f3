// The key that the gateway has at an API.
import { TollwayError } from '@tollway/client'
import { commandName, UsageError } from '@tollway/command'
import type { OperatorGateway } from './operator-gateway.ts'

const testWords: Readonly<Record<string, string>> = {
  accepted: 'The API accepts the key.',
  untested: 'The key was not tested.',
}

export const describeTest = (tested: string) =>
  `${testWords[tested] ?? 'Whether the API accepts the key is not known.'} It is sealed, and not shown again.`

/** Stores the key, or says that one is needed. */
export async function settleKey(
  gateway: OperatorGateway,
  name: string,
  isNeeded: boolean,
  key: string | undefined,
): Promise<string> {
  if (key !== undefined) return await storeTestedIfPossible(gateway, name, key)
  if (!isNeeded) return ''
  const { provider_keys: keys } = await gateway.operator.request('GET /api/v1/admin/provider-keys')
  return keys.find(({ provider }) => provider === name)?.source === 'none'
    ? `The API needs your key, so nothing can be called yet. Give it: \`${commandName} sell key ${name}\`.`
    : ''
}

/** The operator who sells an API with its key has said that the key is to be stored. */
async function storeTestedIfPossible(
  gateway: OperatorGateway,
  name: string,
  key: string,
): Promise<string> {
  try {
    return await storeKey(gateway, { name, key, isTested: true })
  } catch (thrown) {
    if (!(thrown instanceof UsageError && isUntested(thrown.cause))) throw thrown
    return await storeKey(gateway, { name, key, isTested: false })
  }
}

/** Says what the test has shown. Throws UsageError where the API refuses the key. */
export async function storeKey(
  { operator }: OperatorGateway,
  { name, key, isTested }: { name: string; key: string; isTested: boolean },
): Promise<string> {
  const { tested, is_used } = await operator
    .request('PUT /api/v1/admin/provider-keys/{provider}', {
      path: { provider: name },
      body: { key, test: isTested },
    })
    .catch((thrown) => {
      const why = whyNotStored(thrown)
      if (why === undefined) throw thrown
      throw new UsageError(
        `${name} ${why} \`${commandName} sell key ${name} --no-test\` stores it all the same.`,
        { cause: thrown },
      )
    })
  return is_used
    ? describeTest(tested)
    : `${describeTest(tested)} The key of the environment is used in its place.`
}

const notStored: Readonly<Record<string, string>> = {
  refused: 'refused this key, so it was not stored. Check it at the provider.',
  unclear:
    'did not say whether this key is good, so it was not stored. Run this again when it answers.',
  untested: 'has no harmless call that tests a key, so it was not stored.',
}

function whyNotStored(thrown: unknown): string | undefined {
  const tested = testedOf(thrown)
  return tested === undefined ? undefined : notStored[tested]
}

const isUntested = (thrown: unknown) => testedOf(thrown) === 'untested'

const testedOf = (thrown: unknown): string | undefined =>
  thrown instanceof TollwayError
    ? (thrown.data as { tested?: string } | undefined)?.tested
    : undefined
